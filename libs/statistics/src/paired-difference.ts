import { ExactSum } from './exact-sum.js';
import { Z_95 } from './standard-normal.js';

export interface PairedDifference {
  /** Pairs, unmoved ones too. */
  readonly pairs: number;
  /** Mean of candidate − baseline. */
  readonly mean: number;
  /** Standard error of that mean; `null` for a single pair. */
  readonly standardError: number | null;
  /** Normal 95 % bounds, mean ± z·se; `null` for a single pair. */
  readonly lower: number | null;
  readonly upper: number | null;
}

/**
 * Mean paired difference with its standard error from the per-pair differences (n − 1 in the variance).
 *
 *   se = √( Σ (dᵢ − d̄)² / (n−1) / n )
 *
 * Pairing matters: the standard error of two independent means would ignore that both arms saw the same examples.
 *
 * @param deltas finite differences; zeros may be present.
 * @param options.unmoved how many further pairs with difference 0 are not listed.
 * @returns `null` when there is no pair.
 * @throws RangeError for a difference that is not finite.
 * Source: E. Miller, "Adding Error Bars to Evals" (2024), §4.2.
 * @example pairedDifference([1, 1, 1], { unmoved: 7 })?.standardError // 0.15275252316519466
 */
export function pairedDifference(deltas: ArrayLike<number>, options: { readonly unmoved?: number } = {}): PairedDifference | null {
  const unmoved = options.unmoved ?? 0;
  const pairs = deltas.length + unmoved;
  if (pairs === 0) return null;
  const sum = new ExactSum();
  for (let index = 0; index < deltas.length; index++) sum.add(deltas[index] as number);
  const mean = sum.value / pairs;
  if (pairs === 1) return { pairs, mean, standardError: null, lower: null, upper: null };
  const squares = new ExactSum();
  for (let index = 0; index < deltas.length; index++) squares.add(((deltas[index] as number) - mean) ** 2);
  squares.add(unmoved * mean ** 2);
  const standardError = Math.sqrt(squares.value / (pairs - 1) / pairs);
  return { pairs, mean, standardError, lower: mean - Z_95 * standardError, upper: mean + Z_95 * standardError };
}
