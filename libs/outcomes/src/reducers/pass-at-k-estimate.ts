import { passAtK } from '@kiln/statistics';
import { fallbackKind } from './fallback-kind.js';
import { type JudgedRows, type Reduction } from './reduction.js';

const PASS_FROM = 0.5;

/**
 * The unbiased estimate of pass@k from n ≥ k completions: the chance that one of k attempts passes. Passes from 0.5 up:
 * k attempts are then as likely as not to hold one that passes. Errors count as attempts that did not pass.
 *
 * A group that does not pass is `fail`, unless it has neither pass nor fail: then it was never graded and keeps its
 * fallback kind, as with mean@K. Where skips leave fewer than k completions nothing can be estimated: the example is
 * `skipped`, with score 0.
 * Represented by the first completion of the deciding side.
 */
export function passAtKEstimate(rows: JudgedRows, k: number): Reduction {
  const passes = rows.filter((row) => row.kind === 'pass').length;
  const score = passAtK({ n: rows.length, passes, k });
  if (score === null) return { kind: 'skipped', score: 0, representative: rows[0] };
  const passed = score >= PASS_FROM;
  const graded = rows.some((row) => row.kind === 'pass' || row.kind === 'fail');
  const representative = rows.find((row) => (row.kind === 'pass') === passed) ?? rows[0];
  return { kind: passed ? 'pass' : graded ? 'fail' : fallbackKind(rows), score, representative };
}
