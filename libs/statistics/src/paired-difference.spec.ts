import { describe, expect, it } from 'vitest';
import { pairedDifference } from './paired-difference.js';
import vectors from './vectors/scipy-statistics.json' with { type: 'json' };

describe('pairedDifference', () => {
  it('agrees with scipy', () => {
    for (const { name, a, b, diff, se_paired, ci95_z } of vectors.paired) {
      const deltas = Object.freeze(b.map((value, index) => value - (a[index] as number)));
      const result = pairedDifference(deltas);
      expect(result?.mean, `${name}`).toBeCloseTo(diff, 14);
      expect(result?.standardError, `${name}`).toBeCloseTo(se_paired, 14);
      expect(result?.lower, `${name}`).toBeCloseTo(ci95_z[0] as number, 14);
      expect(result?.upper, `${name}`).toBeCloseTo(ci95_z[1] as number, 14);
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
