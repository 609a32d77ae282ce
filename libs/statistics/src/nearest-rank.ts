/**
 * Quantile q by nearest rank: the smallest value that at least the share q of all values do not exceed, at index ⌈q·n⌉ − 1.
 *
 * @param sorted ascending.
 * @param q 0 to 1; 0 gives the smallest value.
 * @returns `null` for no values.
 * Source: contracts.md §5.3 (p95 of case results); NumPy's `inverted_cdf`.
 * @example nearestRank([15, 20, 35, 40, 50], 0.95) // 50
 */
export function nearestRank(sorted: ArrayLike<number>, q: number): number | null {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
}
