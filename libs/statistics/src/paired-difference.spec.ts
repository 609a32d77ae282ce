import { describe, expect, it } from 'vitest';
import { pairedDifference } from './paired-difference.js';
import { studentTQuantile } from './student-t-quantile.js';
import vectors from './vectors/stats.json' with { type: 'json' };

describe('pairedDifference', () => {
  it.each(vectors.paired.cases)('agrees with scipy: $name', (vector) => {
    const { n, a, b, wins, losses, ties, diff, se_paired, ci95_z, ci95_t } = vector;
    const deltas = a && b ? b.map((value, index) => value - (a[index] as number)) : allOrNothing(wins, losses);
    const result = pairedDifference(Object.freeze(deltas), { unmoved: a ? 0 : ties });
    expect(result?.pairs).toBe(n);
    expect(result?.mean).toBeCloseTo(diff, 14);
    expect(result?.standardError).toBeCloseTo(se_paired, 14);
    if (ci95_z) {
      expect(result?.lower).toBeCloseTo(ci95_z[0] as number, 14);
      expect(result?.upper).toBeCloseTo(ci95_z[1] as number, 14);
    }
    if (ci95_t) {
      // From scipy 1.10, whose t quantile was good to 10 digits.
      const half = studentTQuantile(0.975, n - 1) * (result?.standardError ?? Number.NaN);
      expect(diff - half).toBeCloseTo(ci95_t[0] as number, 10);
      expect(diff + half).toBeCloseTo(ci95_t[1] as number, 10);
    }
  });

  it('counts unlisted unmoved pairs as zeros', () => {
    expect(pairedDifference([1, 1, 1], { unmoved: 7 })).toEqual(pairedDifference([1, 1, 1, 0, 0, 0, 0, 0, 0, 0]));
  });

  it('has no result without pairs and no error of one pair', () => {
    expect(pairedDifference([])).toBeNull();
    expect(pairedDifference([0.5])).toEqual({ pairs: 1, mean: 0.5, standardError: null, lower: null, upper: null });
  });
});

function allOrNothing(wins: number, losses: number): number[] {
  return [...Array.from({ length: wins }, () => 1), ...Array.from({ length: losses }, () => -1)];
}
