/**
 * Quantile q of values that are given as a count per distinct value: the value at index round(q·(n−1)) of all n sorted values, halves
 * up. Always a value that occurred.
 *
 * @param counts each ≥ 1.
 * @param q 0 to 1.
 * @returns `null` for no values.
 * Source: contracts.md §1.5 (latency, reasoning length).
 * @example quantileOfCounts(new Map([[1, 2], [3, 1], [4, 1]]), 0.5) // 3: index round(1.5) of 1, 1, 3, 4
 */
export function quantileOfCounts(counts: ReadonlyMap<number, number>, q: number): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  let before = Math.round(q * (total - 1));
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    before -= count;
    if (before < 0) return value;
  }
  return null;
}
