import { type JudgedRows, type Reduction } from './reduction.js';

/** One deterministic attempt: kind and score of completion 0. */
export function single([row]: JudgedRows): Reduction {
  return { kind: row.kind, score: row.score, representative: row };
}
