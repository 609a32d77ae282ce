import { fstatSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { KilnError } from '@kiln/contracts';

interface WeightFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Size and time of the last write. */
  readonly stamp: string;
}

/**
 * The files with a session's external weights. The runtime maps them, so that whoever writes into one changes what is computed from then on.
 * A file that is replaced by another stays as it was for those who have it open: only what is written in place is a change.
 */
export class WeightFiles {
  readonly #files: readonly WeightFile[];

  private constructor(files: readonly WeightFile[]) {
    this.#files = files;
  }

  /** Keeps them open, and notes how they are now. @throws Error when one cannot be opened */
  static async open(paths: readonly string[]): Promise<WeightFiles> {
    const files: WeightFile[] = [];
    const handles: FileHandle[] = [];
    try {
      for (const path of paths) {
        const handle = await open(path, 'r');
        handles.push(handle);
        files.push({ path, handle, stamp: stampOf(handle) });
      }
      return new WeightFiles(files);
    } catch (error) {
      await Promise.allSettled(handles.map((handle) => handle.close()));
      throw error;
    }
  }

  /** They are as they were. Takes microseconds a file. */
  get areUnchanged(): boolean {
    return this.#changed === undefined;
  }

  /** @throws KilnError `target_changed` when one was written to */
  check(): void {
    const changed = this.#changed;
    if (changed !== undefined) throw changedError(changed, 'was written to');
  }

  /** @throws KilnError `target_changed` when one was written to, or when there is another file in its place */
  async checkPaths(): Promise<void> {
    this.check();
    for (const file of this.#files) {
      const [own, found] = await Promise.all([file.handle.stat({ bigint: true }), stat(file.path, { bigint: true })]);
      if (own.ino !== found.ino || own.dev !== found.dev) throw changedError(file, 'was replaced');
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#files.map(({ handle }) => handle.close()));
  }

  get #changed(): WeightFile | undefined {
    return this.#files.find(({ handle, stamp }) => stampOrNull(handle) !== stamp);
  }
}

function stampOf({ fd }: FileHandle): string {
  const { size, mtimeNs } = fstatSync(fd, { bigint: true });
  return `${size} ${mtimeNs}`;
}

/** null: the file system does not give it any more (ESTALE, EIO). What it would give then is nobody's weights either. */
function stampOrNull(handle: FileHandle): string | null {
  try {
    return stampOf(handle);
  } catch {
    return null;
  }
}

function changedError({ path }: WeightFile, what: string): KilnError {
  return new KilnError('target_changed', `${basename(path)} ${what} while the model was in use`, {
    hint: 'put new weights into a directory of their own, or write them beside the old file and rename them',
  });
}
