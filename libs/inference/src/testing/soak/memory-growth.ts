/**
 * By how much the last third of a series is above the middle one, as a share: 0.05 = five hundredths more. Medians, because memory that
 * waits for its collection makes single values jump; the first third, while caches fill, does not count.
 */
export function memoryGrowth(bytes: readonly number[]): number {
  const third = Math.floor(bytes.length / 3);
  if (third === 0) throw new RangeError(`${bytes.length} values are no series`);
  return median(bytes.slice(-third)) / median(bytes.slice(-2 * third, -third)) - 1;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
