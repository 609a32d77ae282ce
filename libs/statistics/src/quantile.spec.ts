import { describe, expect, it } from 'vitest';
import { nearestRank } from './nearest-rank.js';
import { quantileOfCounts } from './quantile-of-counts.js';
import vectors from './vectors/stats.json' with { type: 'json' };

describe('nearestRank', () => {
  it('agrees with NumPy’s inverted_cdf', () => {
    for (const { values, p50, p95 } of vectors.quantiles.cases) {
      const sorted = Object.freeze(values.toSorted((a, b) => a - b));
      expect(nearestRank(sorted, 0.5)).toBe(p50.inverted_cdf);
      expect(nearestRank(sorted, 0.95)).toBe(p95.inverted_cdf);
    }
  });

  it('gives the ends at 0 and 1, and nothing of nothing', () => {
    expect([0, 1].map((q) => nearestRank([3, 5, 9], q))).toEqual([3, 9]);
    expect(nearestRank([], 0.5)).toBeNull();
  });
});

/** Each value with how often it occurs. */
const countsOf = (values: readonly number[]): ReadonlyMap<number, number> =>
  new Map(values.map((value) => [value, values.filter((other) => other === value).length]));

describe('quantileOfCounts', () => {
  it('agrees with NumPy’s nearest, except that a half goes up and not to the even index', () => {
    for (const { values, p50, p95 } of vectors.quantiles.cases) {
      const tie = values.length % 2 === 0;
      expect(quantileOfCounts(countsOf(values), 0.5)).toBe(tie ? p50.higher : p50.nearest);
      expect(quantileOfCounts(countsOf(values), 0.95)).toBe(p95.nearest);
    }
  });

  it('gives the ends at 0 and 1, and nothing of nothing', () => {
    expect([0, 1].map((q) => quantileOfCounts(countsOf([9, 3, 5, 5]), q))).toEqual([3, 9]);
    expect(quantileOfCounts(countsOf([]), 0.5)).toBeNull();
  });
});
