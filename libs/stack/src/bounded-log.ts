import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';

const MAX_BYTES = 5 * 1024 * 1024;

/**
 * A log file that cannot fill the disk: at its limit it becomes `<file>.1`, replacing the one before, so at most twice the
 * limit is kept. Writes are synchronous, so that the last words before a crash are on disk.
 */
export class BoundedLog {
  #size: number;

  constructor(
    readonly file: string,
    readonly maxBytes = MAX_BYTES,
  ) {
    this.#size = sizeOf(file);
  }

  /** Never throws: a full disk must not end the processes whose words these are. */
  write(text: string | Buffer): void {
    const bytes = Buffer.byteLength(text);
    try {
      if (this.#size > 0 && this.#size + bytes > this.maxBytes) {
        renameSync(this.file, `${this.file}.1`);
        this.#size = 0;
      }
      appendFileSync(this.file, text, { mode: 0o600 });
      this.#size += bytes;
    } catch {
      // There is nowhere left to say so.
    }
  }

  /** The last lines, for a message that says why something failed. */
  tail(lines: number): string {
    return `${textOf(`${this.file}.1`)}${textOf(this.file)}`.trimEnd().split('\n').slice(-lines).join('\n');
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
