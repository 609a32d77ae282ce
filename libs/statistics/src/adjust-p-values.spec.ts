import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustPValues, type PValueAdjustment } from './adjust-p-values.js';
import vectors from './vectors/stats.json' with { type: 'json' };

const METHODS = {
  bonferroni: 'bonferroni',
  holm: 'holm',
  fdr_bh: 'benjamini_hochberg',
  fdr_by: 'benjamini_yekutieli',
} as const satisfies Record<string, PValueAdjustment>;

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe('adjustPValues', () => {
  it.each(Object.entries(METHODS))('agrees with statsmodels: %s', (name, method) => {
    for (const vector of vectors.multiple_comparisons.cases) {
      const expected = vector[name as keyof typeof METHODS];
      const adjusted = adjustPValues(method, Object.freeze(vector.p));
      adjusted.forEach((p, index) => expect(p, `${vector.p.join()}`).toBeCloseTo(expected.adjusted[index] as number, 14));
      expect(adjusted.map((p) => p <= 0.05)).toEqual(expected['reject_0.05']);
    }
  });

  it('is the definition: each p against all thresholds', () => {
    fc.assert(
      fc.property(pValues, (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const m = values.length;
        const holm = sorted.map((_, i) => Math.min(1, Math.max(...sorted.slice(0, i + 1).map((p, j) => p * (m - j)))));
        const hochberg = sorted.map((_, i) => Math.min(1, ...sorted.slice(i).map((p, j) => p * (m / (i + j + 1)))));
        const ascending = (method: PValueAdjustment) => adjustPValues(method, values).toSorted((a, b) => a - b);
        expect(ascending('holm')).toEqual(holm);
        expect(ascending('benjamini_hochberg')).toEqual(hochberg);
      }),
    );
  });

  it('orders the methods by how much they ask', () => {
    fc.assert(
      fc.property(pValues, (values) => {
        const [hochberg, yekutieli, holm, bonferroni] = (['benjamini_hochberg', 'benjamini_yekutieli', 'holm', 'bonferroni'] as const).map(
          (method) => adjustPValues(method, values),
        ) as [number[], number[], number[], number[]];
        values.forEach((p, index) => {
          const at = (list: number[]): number => list[index] as number;
          expect(at(hochberg)).toBeGreaterThanOrEqual(p * (1 - 1e-15));
          expect(at(yekutieli)).toBeGreaterThanOrEqual(at(hochberg));
          expect(at(holm)).toBeGreaterThanOrEqual(at(hochberg) * (1 - 1e-15));
          expect(at(bonferroni)).toBeGreaterThanOrEqual(at(holm));
        });
      }),
    );
  });

  it('has nothing to adjust in none or one', () => {
    for (const method of Object.values(METHODS)) {
      expect(adjustPValues(method, [])).toEqual([]);
      expect(adjustPValues(method, [0.03])).toEqual([0.03]);
    }
  });

  it.each([-0.1, 1.1, Number.NaN])('refuses %f', (p) => {
    expect(() => adjustPValues('holm', [p])).toThrow(RangeError);
  });
});
