import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAtK } from './pass-at-k.js';
import { passHatK } from './pass-hat-k.js';
import vectors from './vectors/pass-at-k.json' with { type: 'json' };

type Row = [n: number, passes: number, k: number, passAt: number, passHat: number];

/** n, passes ≤ n, k ≤ n. */
const sampled = fc
  .integer({ min: 1, max: 60 })
  .chain((n) => fc.record({ n: fc.constant(n), passes: fc.integer({ min: 0, max: n }), k: fc.integer({ min: 1, max: n }) }));

describe('pass@k and pass^k', () => {
  it('agree with human-eval and inspect_ai over the grid', () => {
    expect(vectors.pass_at_k_grid).toHaveLength(226);
    for (const [n, passes, k, passAt, passHat] of vectors.pass_at_k_grid as Row[]) {
      expect(passAtK({ n, passes, k }), `pass@${k} of ${passes}/${n}`).toBeCloseTo(passAt, 13);
      expect(passHatK({ n, passes, k }), `pass^${k} of ${passes}/${n}`).toBeCloseTo(passHat, 13);
    }
  });

  it('have the known values, exactly where a double holds them', () => {
    expect(passAtK({ n: 5, passes: 2, k: 3 })).toBe(0.9);
    expect(passHatK({ n: 5, passes: 2, k: 2 })).toBe(0.1);
    expect(passAtK({ n: 200, passes: 1, k: 1 })).toBe(0.005);
    expect(passAtK({ n: 200, passes: 1, k: 10 })).toBe(0.05);
    expect(passAtK({ n: 20, passes: 5, k: 10 })).toBeCloseTo(0.9837461300309598, 14);
    // A half from a product of thirds and quarters.
    expect(passAtK({ n: 4, passes: 2, k: 1 })).toBe(0.5);
  });

  it('do not exist for fewer completions than k', () => {
    expect(passAtK({ n: 2, passes: 0, k: 3 })).toBeNull();
    expect(passHatK({ n: 2, passes: 2, k: 3 })).toBeNull();
    expect(passAtK({ n: 0, passes: 0, k: 1 })).toBeNull();
  });

  it('hold past the largest double', () => {
    const large = { n: 3000, passes: 1500, k: 1200 };
    expect(passAtK(large)).toBe(1);
    expect(passHatK(large)).toBe(0);
    expect(passAtK({ ...large, passes: 1 })).toBe(0.4);
    expect(passHatK({ n: 3000, passes: 2999, k: 1200 })).toBe(0.6);
  });

  it('are what drawing k of the n at random gives', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), fc.nat(), (passed, seed) => {
        const k = 1 + (seed % passed.length);
        const draws = subsets(passed, k);
        const sample = { n: passed.length, passes: passed.filter(Boolean).length, k };
        expect(passAtK(sample)).toBeCloseTo(draws.filter((draw) => draw.includes(true)).length / draws.length, 13);
        expect(passHatK(sample)).toBeCloseTo(draws.filter((draw) => !draw.includes(false)).length / draws.length, 13);
      }),
    );
  });

  it('are the pass rate at k = 1, and move apart as k grows', () => {
    fc.assert(
      fc.property(sampled, ({ n, passes, k }) => {
        const [passAt, passHat] = [passAtK({ n, passes, k }) as number, passHatK({ n, passes, k }) as number];
        expect(passAtK({ n, passes, k: 1 })).toBe(passes / n);
        expect(passHatK({ n, passes, k: 1 })).toBe(passes / n);
        expect(passAt).toBeGreaterThanOrEqual(passes / n);
        expect(passHat).toBeLessThanOrEqual(passes / n);
        expect(passAt).toBeLessThanOrEqual(1);
        expect(passHat).toBeGreaterThanOrEqual(0);
        // All k fail exactly when none passes: the same number with the roles exchanged.
        expect(passAt).toBeCloseTo(1 - (passHatK({ n, passes: n - passes, k }) as number), 14);
      }),
    );
  });

  it('with one completion never exceed pass@1', () => {
    for (const passes of [0, 1]) {
      const passAt1 = passAtK({ n: 1, passes, k: 1 }) as number;
      for (const k of [1, 2, 10]) expect(passAtK({ n: 1, passes, k }) ?? 0).toBeLessThanOrEqual(passAt1);
    }
  });

  it.each([
    [5, 6, 1],
    [5, -1, 1],
    [5, 1, 0],
    [5, 0.5, 1],
  ])('refuse n=%f, c=%f, k=%f', (n, passes, k) => {
    expect(() => passAtK({ n, passes, k })).toThrow(RangeError);
    expect(() => passHatK({ n, passes, k })).toThrow(RangeError);
  });
});

function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) => subsets(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]));
}
