import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import { DOMAINS } from './domain-hash.js';
import { roundEvidence } from './round-evidence.js';

/** Text is handed to the hash in pieces of about this many characters; one call per row would cost more than hashing. */
const FLUSH_AT = 1 << 16;

/**
 * Hashes a sequence of JSON values too long to hold, as JSON lines under a domain:
 *
 *   SHA-256( domain ‖ 0x00 ‖ (json ‖ 0x0A)* ),  json = RFC 8785 text of the value with fractions rounded to 12 digits
 *
 * Canonical JSON has no raw line feed, so no two sequences share their bytes. O(1) memory.
 */
export class SequenceHasher {
  readonly #hash: Hash;
  #pending = '';
  #count = 0;

  constructor(domain: (typeof DOMAINS)[keyof typeof DOMAINS]) {
    this.#hash = createHash('sha256').update(domain, 'ascii').update('\0');
  }

  /** @throws TypeError for a value that JSON cannot hold. */
  add(value: unknown): void {
    this.#pending += `${canonicalJson(roundEvidence(value))}\n`;
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
