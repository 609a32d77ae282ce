import { type SampleError } from '../../generator.js';
import { type Candidates } from '../../sampling/sample-candidates.js';

/**
 * How a completion goes on. `over`: it does not. `undecided`: candidates do not tell; nothing has changed, and it is to be asked again with all
 * logits, for the same moment.
 */
export type Advance = { readonly token: number } | 'over' | 'undecided';

/** Chooses the tokens of one completion. Here and below, `now` is milliseconds of one monotonic clock. */
export interface TokenChooser {
  /** Of its draws; 0 = greedy. */
  readonly temperature: number;
  /** Its prompt begins to be processed. */
  start(now: number): void;
  /** Chooses the token behind these logits. Never `undecided` when they are all of them. */
  advance(logits: Float32Array | Candidates, now: number): Advance;
  /** Ends it as an error. */
  fail(error: SampleError): void;
}
