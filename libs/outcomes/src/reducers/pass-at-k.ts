import { fallbackKind } from './fallback-kind.js';
import { type JudgedRows, type Reduction } from './reduction.js';

/**
 * Whether at least one of the K attempts passed: the observed rate, not the unbiased pass@k estimator.
 * Represented by the first that passed, else by the first.
 */
export function passAtK(rows: JudgedRows): Reduction {
  const passing = rows.find((row) => row.kind === 'pass');
  if (passing) return { kind: 'pass', score: 1, representative: passing };
  return { kind: fallbackKind(rows), score: 0, representative: rows[0] };
}
