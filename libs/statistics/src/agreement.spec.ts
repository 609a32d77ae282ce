import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa } from './cohen-kappa.js';
import vectors from './vectors/stats.json' with { type: 'json' };

describe('cohenKappa', () => {
  it('agrees with the vectors', () => {
    for (const { table, cohen_kappa, agreement } of vectors.agreement.cohen) {
      const result = cohenKappa(table);
      expect(result?.kappa).toBeCloseTo(cohen_kappa, 14);
      expect(result?.rate).toBe(agreement);
    }
  });

  it('is 1 exactly where all agree and both labels occur, and unknown where one does', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (yes, no) => {
        const result = cohenKappa([
          [yes, 0],
          [0, no],
        ]);
        if (yes + no === 0) expect(result).toBeNull();
        else expect(result).toEqual({ cases: yes + no, rate: 1, kappa: yes > 0 && no > 0 ? 1 : null });
      }),
    );
  });

  it('is 0 where one rater is deaf to the other', () => {
    expect(
      cohenKappa([
        [6, 4],
        [0, 0],
      ]),
    ).toEqual({ cases: 10, rate: 0.6, kappa: 0 });
  });

  it('does not mind who is first', () => {
    const counts = fc.array(fc.array(fc.nat(50), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(counts, (table) => {
        const transposed = table.map((_, row) => table.map((line) => line[row] as number));
        expect(cohenKappa(transposed)).toEqual(cohenKappa(table));
      }),
    );
  });

  it('refuses what is no square of counts', () => {
    expect(() => cohenKappa([[1, 2]])).toThrow(RangeError);
    expect(() => cohenKappa([[-1]])).toThrow(RangeError);
    expect(cohenKappa([])).toBeNull();
  });
});
