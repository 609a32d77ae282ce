import { type SuiteHeader } from '@kiln/contracts';
import { createHash, type Hash } from 'node:crypto';
import { DOMAINS, domainHash } from './domain-hash.js';

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/**
 * Hashes a suite version while its examples stream by, in O(1) memory:
 *
 *   domainHash("kiln.eval-suite.v1", { header, examples: { count, sha256 } })
 *
 * where `sha256` covers the examples' content hashes in suite order, 64 hex characters each with nothing between them.
 */
export class SuiteHasher {
  readonly #examples: Hash = createHash('sha256');
  #count = 0;

  /** @throws TypeError unless the hash is one of {@link exampleContentHash}. */
  add(exampleHash: string): void {
    const hex = DIGEST.exec(exampleHash)?.[1];
    if (hex === undefined) throw new TypeError(`an example hash is sha256: and 64 hex characters, got ${exampleHash}`);
    this.#examples.update(hex, 'ascii');
    this.#count++;
  }

  /** Can be called once. */
  finish(header: SuiteHeader): string {
    const examples = { count: this.#count, sha256: this.#examples.digest('hex') };
    return domainHash(DOMAINS.suite, { header, examples });
  }
}

/**
 * The identity of a suite version: header and examples in order.
 *
 * @param exampleHashes content hashes in suite order.
 * @returns `sha256:…` under domain kiln.eval-suite.v1.
 */
export function suiteHash(header: SuiteHeader, exampleHashes: Iterable<string>): string {
  const hasher = new SuiteHasher();
  for (const hash of exampleHashes) hasher.add(hash);
  return hasher.finish(header);
}
