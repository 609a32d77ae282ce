/**
 * Quantile of values that are already sorted ascending: the value at index round(q·(n−1)), half up.
 * It is always one of the values ("nearest" on the 0-based scale), never an interpolation.
 *
 * @param q in [0, 1].
 * @returns `null` for no values.
 * @throws RangeError when q is outside [0, 1].
 * @example quantileSorted([10, 20, 30, 40], 0.5) // 30, index round(1.5) = 2
 */
export function quantileSorted(sorted: ArrayLike<number>, q: number): number | null {
  if (!(q >= 0 && q <= 1)) throw new RangeError(`quantileSorted needs 0 <= q <= 1, got ${q}`);
  if (sorted.length === 0) return null;
  return sorted[Math.round(q * (sorted.length - 1))] as number;
}
