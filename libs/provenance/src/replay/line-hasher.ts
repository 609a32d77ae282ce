import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.js';

/**
 * Hashes lines of canonical JSON as they are sent, line feeds included, so that anybody can check them with `sha256sum`. O(1)
 * memory.
 */
export class LineHasher {
  readonly #hash = createHash('sha256');
  #count = 0;

  /** @throws TypeError for a value that JSON cannot hold */
  add(line: unknown): void {
    this.#hash.update(`${canonicalJson(line)}\n`, 'utf8');
    this.#count++;
  }

  /** Can be called once. */
  finish(): { count: number; sha256: string } {
    return { count: this.#count, sha256: `sha256:${this.#hash.digest('hex')}` };
  }
}
