import { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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
    try {
      for (const path of paths) {
        const handle = await open(path, 'r');
        files.push({ path, handle, stamp: stampOf(handle) });
      }
      return new WeightFiles(files);
    } catch (error) {
      for (const { handle } of files) await handle.close();
      throw error;
    }
  }

  /** They are as they were. Takes microseconds a file. */
  get areUnchanged(): boolean {
    return this.#changed === undefined;
  }

  /** @throws KilnError `target_changed` */
  check(): void {
    const changed = this.#changed;
    if (changed !== undefined) {
      throw new KilnError('target_changed', `${basename(changed.path)} was written to while the model was in use`, {
        hint: 'put new weights into a directory of their own, or write them beside the old file and rename them',
      });
    }
  }

  async close(): Promise<void> {
    for (const { handle } of this.#files) await handle.close();
  }

  get #changed(): WeightFile | undefined {
    return this.#files.find(({ handle, stamp }) => stampOf(handle) !== stamp);
  }
}

function stampOf({ fd }: FileHandle): string {
  const { size, mtimeNs } = fstatSync(fd, { bigint: true });
  return `${size} ${mtimeNs}`;
}
