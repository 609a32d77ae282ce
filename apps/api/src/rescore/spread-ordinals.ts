/** At most `limit` of `count` ordinals, evenly spaced, the first and the last among them; the same every time. `limit` is at least 2. */
export function spreadOrdinals(count: number, limit: number): number[] {
  if (count <= limit) return Array.from({ length: count }, (_, ordinal) => ordinal);
  return Array.from({ length: limit }, (_, place) => Math.round((place * (count - 1)) / (limit - 1)));
}
