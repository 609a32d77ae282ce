import { type ReplayCompletionLine } from '@kiln/contracts';
import { DOMAINS, domainHash } from '../domain-hash.js';
import { LineHasher } from './line-hasher.js';

/** Hashes the completions of a run as a record lists them. */
export class RawCompletionSet {
  readonly #lines = new LineHasher();

  /** Once per completion, in suite order, then by index. */
  add(line: ReplayCompletionLine): void {
    this.#lines.add(line);
  }

  /** The lines, and their digest under domain kiln.eval-raw-completion-set.v1. Can be called once. */
  finish(): { lines: { count: number; sha256: string }; sha256: string } {
    const lines = this.#lines.finish();
    return { lines, sha256: domainHash(DOMAINS.rawCompletionSet, lines) };
  }
}
