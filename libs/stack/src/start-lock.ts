import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { processFacts } from '@kiln/local-postgres';
import { readJsonObject } from './replace-file.js';

/** Who holds a lock. */
export interface LockHolder {
  readonly pid: number;
  /** Tells the process from a later one with the same pid. */
  readonly start_mark: string;
  /** What it is doing, such as `up`. */
  readonly purpose: string;
}

export type LockResult = { readonly release: () => Promise<void> } | { readonly heldBy: LockHolder };

/** A takeover is a few file operations; one that is older than this was cut short by a crash. */
const TAKEOVER_MS = 10_000;

/**
 * Takes the lock for this process, or says which living process has it. A lock whose owner is gone, however it ended, is
 * taken over.
 *
 * The lock is a file that appears whole (a hard link to a finished file), so there is never one without an owner in it.
 * A stale one is replaced inside a second, momentary lock: otherwise two starters could both find it stale, and the
 * slower one would remove the lock that the faster one has just taken.
 */
export async function takeLock(file: string, purpose: string): Promise<LockResult> {
  const facts = await processFacts(process.pid);
  const mine: LockHolder = { pid: process.pid, start_mark: facts?.startMark ?? '', purpose };
  const whole = `${file}.${randomUUID()}`;
  await writeFile(whole, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (;;) {
      if (await makeLink(whole, file)) return { release: () => release(file, mine) };
      const heldBy = await livingHolder(file);
      if (heldBy !== null) return { heldBy };
      await takeOver(file);
    }
  } finally {
    await rm(whole, { force: true });
  }
}

/** The living process that holds the lock, or null when nobody does. */
export async function livingHolder(file: string): Promise<LockHolder | null> {
  const holder = readHolder(await readJsonObject(file));
  if (holder === null) return null;
  const facts = await processFacts(holder.pid);
  return facts !== null && facts.startMark === holder.start_mark ? holder : null;
}

async function takeOver(file: string): Promise<void> {
  const momentary = `${file}.takeover`;
  try {
    await mkdir(momentary);
  } catch {
    const age = await stat(momentary).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > TAKEOVER_MS) await rmdir(momentary).catch(() => undefined);
    else await new Promise((resolve) => setTimeout(resolve, 20));
    return;
  }
  try {
    // Looked at again: whoever held the momentary lock before may have put a living lock here.
    if ((await livingHolder(file)) === null) await rm(file, { force: true });
  } finally {
    await rmdir(momentary).catch(() => undefined);
  }
}

async function makeLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function release(file: string, mine: LockHolder): Promise<void> {
  const holder = readHolder(await readJsonObject(file));
  if (holder?.pid === mine.pid && holder.start_mark === mine.start_mark) await rm(file, { force: true });
}

function readHolder(value: Record<string, unknown> | null): LockHolder | null {
  if (value === null || typeof value['pid'] !== 'number') return null;
  return { pid: value['pid'], start_mark: String(value['start_mark'] ?? ''), purpose: String(value['purpose'] ?? '') };
}
