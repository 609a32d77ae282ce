/**
 * How well two lists match: pairs of one item of each, best first, each item in one pair at most; the mean of their scores over
 * the longer list, so that an item without a partner counts 0. Grows with the product of the lengths, which callers bound.
 */
export function meanOfBestPairs<T>(found: readonly T[], wanted: readonly T[], score: (found: T, wanted: T) => number): number {
  if (found.length === 0 || wanted.length === 0) return found.length === wanted.length ? 1 : 0;
  const pairs = wanted.flatMap((b, right) => found.map((a, left) => ({ left, right, score: score(a, b) })));
  const usedLeft = new Set<number>();
  const usedRight = new Set<number>();
  let sum = 0;
  // A stable sort: of equal scores the first in order is taken.
  for (const pair of pairs.toSorted((a, b) => b.score - a.score)) {
    if (usedLeft.has(pair.left) || usedRight.has(pair.right)) continue;
    usedLeft.add(pair.left);
    usedRight.add(pair.right);
    sum += pair.score;
  }
  return sum / Math.max(found.length, wanted.length);
}
