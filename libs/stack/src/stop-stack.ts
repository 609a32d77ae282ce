import { KilnError } from '@kiln/contracts';
import { waitForExit } from '@kiln/local-postgres';
import { endLeftovers } from './end-leftovers.js';
import { makeStackFolders, stackPaths } from './stack-paths.js';
import { livingHolder, takeLock } from './start-lock.js';

/** Longer than an orderly stop may take. */
const STOP_MS = 60_000;

export type StopResult =
  | { readonly result: 'stopped'; readonly pid: number }
  | { readonly result: 'cleaned'; readonly ended: readonly string[] }
  | { readonly result: 'not_running' };

/**
 * `kiln down`: asks the process that runs the stack to stop, and waits for it. Where that process was killed, ends what it
 * left behind.
 * @throws KilnError `internal_error` when it does not stop within a minute
 */
export async function stopStack(dataDir: string): Promise<StopResult> {
  const paths = stackPaths(dataDir);
  const holder = await livingHolder(paths.lockFile);
  if (holder !== null) {
    process.kill(holder.pid, 'SIGTERM');
    if (await waitForExit(holder.pid, STOP_MS)) return { result: 'stopped', pid: holder.pid };
    throw new KilnError('internal_error', `process ${holder.pid} does not stop`, {
      hint: `end it with \`kill -9 ${holder.pid}\`, then run ./kiln down again to end what it leaves behind`,
    });
  }
  await makeStackFolders(paths);
  const lock = await takeLock(paths.lockFile, 'down');
  if ('heldBy' in lock) return { result: 'not_running' };
  try {
    const ended = await endLeftovers(paths);
    return ended.length > 0 ? { result: 'cleaned', ended } : { result: 'not_running' };
  } finally {
    await lock.release();
  }
}
