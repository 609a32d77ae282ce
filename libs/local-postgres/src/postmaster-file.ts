import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The parts of `postmaster.pid` that a starter needs. The server writes one fact a line. */
export interface PostmasterFile {
  readonly pid: number;
  readonly dataDir: string;
  /** Null until the server has chosen its port. */
  readonly port: number | null;
  /** `starting`, `ready`, `stopping` or `standby`; '' until it is written. */
  readonly status: string;
}

/** Reads `postmaster.pid` text; null when its first line is no pid (a crash while it was being written). */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const port = Number(lines[3]);
  return { pid, dataDir: lines[1] ?? '', port: port > 0 ? port : null, status: lines[7] ?? '' };
}

/** The file of this cluster, or null when it is absent or unreadable as one. */
export async function readPostmasterFile(dataDir: string): Promise<PostmasterFile | null> {
  try {
    return parsePostmasterFile(await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8'));
  } catch {
    return null;
  }
}
