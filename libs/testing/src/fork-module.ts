import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { guardChild } from './process-guard.js';

// Node 20 does not read TypeScript; vite, which is here for vitest, loads the module and its imports from source.
const ENTRY = `
const { runnerImport } = await import('vite');
const conditions = ['@kiln/source'];
const resolve = { conditions };
await runnerImport(process.argv[1], { configFile: false, logLevel: 'error', resolve, ssr: { resolve: { conditions, externalConditions: conditions } } });
`;

/**
 * Runs a TypeScript module of this repository in its own Node process, from source, with an IPC channel: for tests that must
 * kill a process, stop its clock or block its event loop. The arguments are at `process.argv[2]` and on. About 0.5 s to start.
 */
export function forkModule(file: URL, args: string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', ENTRY, fileURLToPath(file), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  guardChild(child);
  return child;
}
