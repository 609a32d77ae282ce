import { realpath } from 'node:fs/promises';
import { stopLeftover, waitForExit } from '@kiln/local-postgres';
import { type RecordedProcess, isAlive, readRunRecord, removeRunRecord } from './run-record.js';
import type { StackPaths } from './stack-paths.js';

/** Services notice within a second that their parent is gone, and get this long to finish what they hold. */
const GRACE_MS = 10_000;

/**
 * Ends what a stack whose owner was killed left running: its services, then its Postgres. The caller holds the lock.
 * @returns what was ended, such as `worker`, for the person who starts the next one
 */
export async function endLeftovers(paths: StackPaths): Promise<string[]> {
  const record = await readRunRecord(paths.runFile);
  const ended: string[] = [];
  for (const recorded of record?.processes ?? []) {
    if (recorded.name !== 'postgres' && (await endProcess(recorded))) ended.push(recorded.name);
  }
  const dataDir = await realpath(paths.postgresData).catch(() => paths.postgresData);
  if ((await stopLeftover(dataDir)) === 'stopped') ended.push('postgres');
  await removeRunRecord(paths.runFile);
  return ended;
}

async function endProcess(recorded: RecordedProcess): Promise<boolean> {
  if (!(await isAlive(recorded))) return false;
  signal(recorded.pid, 'SIGTERM');
  if (!(await waitForExit(recorded.pid, GRACE_MS))) {
    signal(-recorded.pid, 'SIGKILL');
    await waitForExit(recorded.pid, GRACE_MS);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone in between.
  }
}
