import { fork } from 'node:child_process';
import { once } from 'node:events';
import { KilnError } from '@kiln/contracts';
import { compiledProgram } from '../compiled-program.js';
import { childEnvironment } from '../engine/child-environment.js';
import { type CheckOptions } from './check-models.js';
import { type ModelsCheck } from './model-check.js';

export { type ModelCheck, type ModelsCheck } from './model-check.js';

/** From the process that checks. */
export type CheckMessage = { type: 'progress'; line: string } | { type: 'result'; result: ModelsCheck };

/**
 * As {@link import('./check-models.js').checkModels}, in a process of its own: what it measures is what an engine's process gives.
 * @throws KilnError `internal_error` when that process ends without a result, as it does when the runtime aborts.
 */
export async function checkModelsInChild(directory: string, { onProgress = () => {}, ...options }: CheckOptions): Promise<ModelsCheck> {
  const child = fork(compiledProgram('check/check-program.js'), [directory, JSON.stringify(options)], {
    serialization: 'advanced',
    // oxlint-disable-next-line node/no-process-env -- all of it: the child is this program
    env: childEnvironment('onnx', process.env),
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let result: ModelsCheck | null = null;
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-STDERR_TAIL)));
  child.on('message', (message: CheckMessage) => {
    if (message.type === 'progress') onProgress(message.line);
    else result = message.result;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (result !== null) return result;
  throw new KilnError('internal_error', `the process that checks models ended with ${signal ?? code}: ${stderr.trim()}`);
}

const STDERR_TAIL = 4096;
