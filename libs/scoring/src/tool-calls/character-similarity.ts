/**
 * Jaccard similarity of the characters of two texts, case aside, with each counted as often as it occurs: as plain sets, `10` and
 * `100` would be the same.
 */
export function characterSimilarity(a: string, b: string): number {
  const counts = new Map<string, number>();
  for (const character of a) counts.set(character, (counts.get(character) ?? 0) + 1);
  let length = 0;
  let shared = 0;
  for (const character of b) {
    length += 1;
    const left = counts.get(character) ?? 0;
    if (left === 0) continue;
    counts.set(character, left - 1);
    shared += 1;
  }
  const all = [...counts.values()].reduce((sum, left) => sum + left, 0) + length;
  return all === 0 ? 1 : shared / all;
}
