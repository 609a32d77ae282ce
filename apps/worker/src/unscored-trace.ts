import { type UnscoredSample } from '@kiln/database';
import { type ScoredSample } from './score-inline.js';
import { type RegisteredScorer } from './scorer-cache.js';

/** A stored trace that has no outcome in this run. */
export interface UnscoredTrace extends ScoredSample {
  readonly sample: UnscoredSample;
  /** The example's id. */
  readonly key: string;
  readonly scorer: RegisteredScorer;
}
