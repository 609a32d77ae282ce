import { createHash } from 'node:crypto';

/** Text is handed to the hash in pieces of about this many characters; one call per line would cost more than hashing. */
const FLUSH_AT = 1 << 16;

/**
 * A line of a replay record as it is sent: canonical JSON (RFC 8785) and a line feed. A run has millions of them, so they are made
 * with their keys in order and written as they are: sorting and checking each would take longer than hashing it.
 *
 * @param line made by `completionLine` or `settingsLine`, whose keys are in order
 */
export function lineText(line: object): string {
  return `${JSON.stringify(line)}\n`;
}

/** Hashes lines as they are sent, so that anybody can check them with `sha256sum`. O(1) memory. */
export class LineHasher {
  readonly #hash = createHash('sha256');
  #pending = '';
  #count = 0;

  /** @param line as for {@link lineText} */
  add(line: object): void {
    this.#pending += lineText(line);
    this.#count++;
    if (this.#pending.length >= FLUSH_AT) this.#flush();
  }

  /** Can be called once. */
  finish(): { count: number; sha256: string } {
    this.#flush();
    return { count: this.#count, sha256: `sha256:${this.#hash.digest('hex')}` };
  }

  #flush(): void {
    this.#hash.update(this.#pending, 'utf8');
    this.#pending = '';
  }
}
