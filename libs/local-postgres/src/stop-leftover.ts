import { rm } from 'node:fs/promises';
import path from 'node:path';
import { KilnError } from '@kiln/contracts';
import { readPostmasterFile } from './postmaster-file.js';
import { processFacts, waitForExit } from './process-facts.js';

/** What a data folder held from an earlier owner. */
export type Leftover = 'none' | 'stale_file' | 'stopped';

/**
 * Frees a cluster from an owner that died: stops a server that outlived it, and removes a `postmaster.pid` whose pid now
 * belongs to some other program (Postgres itself would refuse to start because of it). Safe to call at any time by whoever
 * holds the lock of the folder.
 *
 * The server is stopped rather than taken over: as our own child its log, its exit and its shutdown are ours to see.
 *
 * @throws KilnError `internal_error` when the server does not end within 30 s
 */
export async function stopLeftover(dataDir: string): Promise<Leftover> {
  const file = await readPostmasterFile(dataDir);
  if (file === null) return 'none';
  const facts = await processFacts(file.pid);
  if (facts === null || !isServerOf(facts.command, dataDir)) {
    await rm(path.join(dataDir, 'postmaster.pid'), { force: true });
    return 'stale_file';
  }
  // SIGINT is Postgres's fast shutdown: end sessions, write a checkpoint. SIGQUIT skips the checkpoint; both lose nothing.
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    signalIfAlive(file.pid, signal);
    if (await waitForExit(file.pid, timeoutMs)) return 'stopped';
  }
  throw new KilnError('internal_error', `the Postgres server ${file.pid} of ${dataDir} does not stop`, {
    hint: `end it with \`kill -QUIT ${file.pid}\` and start again`,
  });
}

/** Whether a command line is a Postgres server on this data folder. */
export function isServerOf(command: string, dataDir: string): boolean {
  return /(^|\/)postgres(\s|$)/.test(command) && command.includes(` -D ${dataDir}`);
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
