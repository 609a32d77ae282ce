import { stat } from 'node:fs/promises';

interface Remembered {
  signature: string;
  value: Promise<unknown>;
}

/**
 * Remembers what was computed from a file until the file changes: its size, modification time, inode or device. Hashing
 * the weights of a large model takes many seconds, and scans are frequent. Lives as long as its owner, in memory.
 */
export class FileMemo {
  readonly #remembered = new Map<string, Remembered>();

  /** `compute(path)`, or what it gave before. `purpose` names the computation. Failures are not remembered. */
  async of<T>(path: string, purpose: string, compute: (path: string) => Promise<T>): Promise<T> {
    const { size, mtimeMs, ino, dev } = await stat(path);
    const signature = [size, mtimeMs, ino, dev].join(' ');
    const key = `${purpose} ${path}`;
    const known = this.#remembered.get(key);
    if (known?.signature === signature) return known.value as Promise<T>;
    const entry: Remembered = { signature, value: compute(path) };
    this.#remembered.set(key, entry);
    entry.value.catch(() => {
      if (this.#remembered.get(key) === entry) this.#remembered.delete(key);
    });
    return entry.value as Promise<T>;
  }
}
