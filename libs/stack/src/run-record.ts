import { rm } from 'node:fs/promises';
import { processFacts } from '@kiln/local-postgres';
import { readJsonObject, replaceFile } from './replace-file.js';

/** A process of a stack, with the mark that tells it from a later one with the same pid. */
export interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
  readonly start_mark: string;
}

/** `run.json`: who runs the stack now, for `kiln status`, `kiln down`, clients, and a start after a crash. */
export interface RunRecord {
  readonly pid: number;
  readonly state: 'starting' | 'ready';
  readonly url: string;
  readonly port: number;
  readonly postgres_port: number | null;
  readonly processes: readonly RecordedProcess[];
  /** ISO 8601, UTC. */
  readonly started_at: string;
}

/** The record in a file, or null when there is none that can be read. */
export async function readRunRecord(file: string): Promise<RunRecord | null> {
  const value = await readJsonObject(file);
  if (value === null || typeof value['pid'] !== 'number' || typeof value['url'] !== 'string') return null;
  const processes = Array.isArray(value['processes']) ? (value['processes'] as RecordedProcess[]) : [];
  return { ...(value as unknown as RunRecord), processes };
}

export function writeRunRecord(file: string, record: RunRecord): Promise<void> {
  return replaceFile(file, `${JSON.stringify(record, null, 2)}\n`, 0o600);
}

export function removeRunRecord(file: string): Promise<void> {
  return rm(file, { force: true });
}

/** A process as a record names it; null when it is gone already. */
export async function recordProcess(name: string, pid: number | null): Promise<RecordedProcess | null> {
  if (pid === null) return null;
  const facts = await processFacts(pid);
  return facts === null ? null : { name, pid, start_mark: facts.startMark };
}

/** Whether a recorded process still lives. */
export async function isAlive(recorded: RecordedProcess): Promise<boolean> {
  const facts = await processFacts(recorded.pid);
  return facts !== null && facts.startMark === recorded.start_mark;
}
