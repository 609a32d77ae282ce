import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { processFacts } from '@kiln/local-postgres';

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
  // Readable by others, so that root and the owner of the folder see each other's.
  await writeFile(whole, JSON.stringify(mine), { mode: 0o644 });
  try {
    for (;;) {
      if (await makeLink(whole, file)) return { release: () => release(file, mine) };
      const found = await readLock(file);
      if (typeof found === 'object') return { heldBy: found };
      if (found === 'stale') await takeOver(file);
    }
  } finally {
    await rm(whole, { force: true });
  }
}

/** The living process that holds the lock, or null when nobody does. */
export async function livingHolder(file: string): Promise<LockHolder | null> {
  const found = await readLock(file);
  return typeof found === 'object' ? found : null;
}

/** One look at the lock: its living holder, or that it is absent, or that whoever made it is gone. */
async function readLock(file: string): Promise<LockHolder | 'absent' | 'stale'> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent';
    throw error;
  }
  const holder = readHolder(text);
  const facts = holder === null ? null : await processFacts(holder.pid);
  return holder !== null && facts?.startMark === holder.start_mark ? holder : 'stale';
}

async function takeOver(file: string): Promise<void> {
  const momentary = `${file}.takeover`;
  try {
    await mkdir(momentary);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = await stat(momentary).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > TAKEOVER_MS) await rmdir(momentary).catch(() => undefined);
    else await new Promise((resolve) => setTimeout(resolve, 20));
    return;
  }
  try {
    // Looked at again: whoever held the momentary lock before may have put a living lock here. Only a lock that was seen
    // stale is removed, never one that was absent: somebody may be making his right now. A stale one stays what it is,
    // because only the holder of the momentary lock removes it.
    if ((await readLock(file)) === 'stale') await rm(file, { force: true });
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
  const holder = readHolder(await readFile(file, 'utf8').catch(() => ''));
  if (holder?.pid === mine.pid && holder.start_mark === mine.start_mark) await rm(file, { force: true });
}

function readHolder(text: string): LockHolder | null {
  try {
    const value = JSON.parse(text) as Partial<LockHolder> | null;
    if (typeof value?.pid !== 'number') return null;
    return { pid: value.pid, start_mark: String(value.start_mark ?? ''), purpose: String(value.purpose ?? '') };
  } catch {
    return null;
  }
}
