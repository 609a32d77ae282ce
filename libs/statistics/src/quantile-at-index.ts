/**
 * Quantile q as the value at index round(q·(n−1)) of the sorted values, halves up: always a value that occurred.
 *
 * @param sorted ascending.
 * @param q 0 to 1.
 * @returns `null` for no values.
 * Source: contracts.md §1.5 (latency, reasoning length).
 * @example quantileAtIndex([1, 2, 3, 4], 0.5) // 3: index round(1.5)
 */
export function quantileAtIndex(sorted: ArrayLike<number>, q: number): number | null {
  return sorted[Math.round(q * (sorted.length - 1))] ?? null;
}
