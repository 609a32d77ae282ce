import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactSignTest } from './exact-sign-test.js';
import { mulberry32Bits } from './mulberry32.js';
import { signFlipPermutationTest } from './sign-flip-permutation-test.js';
import vectors from './vectors/stats.json' with { type: 'json' };

const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

describe('signFlipPermutationTest', () => {
  it.each([
    ['6 of 8 up, none down', [...repeat(1, 6), 0, 0], 2 / 64],
    ['8 up, 2 down', [...repeat(1, 8), ...repeat(-1, 2)], 112 / 1024],
    ['5 up', repeat(1, 5), 2 / 32],
    ['3 cases of 3 repetitions', repeat(1 / 3, 3), 0.25],
  ])('%s', (_name, deltas, p) => {
    expect(signFlipPermutationTest(deltas)).toMatchObject({ p, method: 'exact' });
  });

  it('agrees with scipy', () => {
    for (const { diffs, p } of vectors.sign_flip_permutation.cases) {
      expect(signFlipPermutationTest(Object.freeze(diffs) as number[])?.p).toBeCloseTo(p, 14);
    }
  });

  it('cannot go below 2 of 2^m', () => {
    for (const [moved, p] of Object.entries(vectors.sign_flip_permutation.min_p_for_m_changed)) {
      expect(signFlipPermutationTest(repeat(0.25, Number(moved)))?.p).toBe(p);
    }
  });

  it('has no result without cases, and p = 1 when none moved', () => {
    expect(signFlipPermutationTest([])).toBeNull();
    expect(signFlipPermutationTest([0, 0, 0])).toEqual({ p: 1, method: 'none', moved: 0, mean: 0 });
    expect(signFlipPermutationTest([], { unmoved: 3 })).toEqual({ p: 1, method: 'none', moved: 0, mean: 0 });
  });

  it('samples above 20 moved cases, the same way every time', () => {
    const deltas = [...repeat(1, 22), ...repeat(-1, 8)];
    const result = signFlipPermutationTest(deltas);
    expect(result).toMatchObject({ method: 'sampled', moved: 30 });
    expect(result?.p).toBeGreaterThan(0.012);
    expect(result?.p).toBeLessThan(0.021);
    expect(signFlipPermutationTest(deltas)).toEqual(result);
  });

  it.each([
    ['all or nothing', [...repeat(1, 22), ...repeat(-1, 8)]],
    ['all or nothing, one past a word', [...repeat(1, 20), ...repeat(-1, 13)]],
    ['all or nothing, two whole words', [...repeat(-1, 33), ...repeat(1, 31)]],
    ['thirds of one size', [...repeat(1 / 3, 40), ...repeat(-1 / 3, 27)]],
    ['all down', repeat(-0.5, 21)],
    ['one of another size', [...repeat(1, 40), 0.5]],
    ['uneven', Array.from({ length: 45 }, (_, index) => (((index * 7) % 11) / 10 + 0.05) * (index % 3 === 0 ? -1 : 1))],
  ])('draws as a plain reading of the same words would: %s', (_name, deltas) => {
    expect(signFlipPermutationTest(deltas)?.p).toBe(plainDraws(deltas));
  });

  it('samples uneven sizes as the exact count would have them', () => {
    // 40 cases of 0.1..0.7; the sum of squares gives the normal approximation, good to 1 % here.
    const deltas = Array.from({ length: 40 }, (_, index) => (((index * 7) % 11) / 10 + 0.1) * (index % 3 === 0 ? -1 : 1));
    const sum = deltas.reduce((a, b) => a + b, 0);
    const z = Math.abs(sum) / Math.sqrt(deltas.reduce((a, b) => a + b * b, 0));
    const normal = 2 * (1 - normalCdf(z));
    expect(Math.abs((signFlipPermutationTest(deltas)?.p ?? 0) - normal)).toBeLessThan(0.01);
  });

  it('never samples p = 0', () => {
    expect(signFlipPermutationTest(repeat(1, 500))?.p).toBe(1 / 100_001);
  });

  it('counts unlisted unmoved cases in the mean only', () => {
    const listed = signFlipPermutationTest([1, 1, -1, 0, 0, 0, 0, 0]);
    expect(signFlipPermutationTest([1, 1, -1], { unmoved: 5 })).toEqual(listed);
    expect(listed?.mean).toBe(1 / 8);
  });

  it('does not depend on the order of the cases', () => {
    const delta = fc.double({ min: -1, max: 1, noNaN: true });
    const cases = fc.array(delta, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        cases.chain((deltas) => fc.tuple(fc.constant(deltas), fc.shuffledSubarray(deltas, { minLength: deltas.length }))),
        ([deltas, shuffled]) => {
          expect(signFlipPermutationTest(shuffled)).toEqual(signFlipPermutationTest(deltas));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('equals the sign test where every move is all or nothing', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), (a, b) => {
        const up = Math.min(a, 20 - Math.min(b, 20));
        const down = Math.min(b, 20 - up);
        const result = signFlipPermutationTest([...repeat(1, up), ...repeat(-1, down), 0]);
        expect(result?.p).toBe(exactSignTest(up, down));
      }),
    );
  });

  it('refuses a difference that is not finite', () => {
    expect(() => signFlipPermutationTest([1, Number.NaN])).toThrow(RangeError);
    expect(() => signFlipPermutationTest([Number.POSITIVE_INFINITY])).toThrow(RangeError);
  });
});

/** 100,000 draws, 32 differences in ascending order to a word, lowest bit first; a set bit keeps the sign. */
function plainDraws(deltas: readonly number[]): number {
  const sorted = deltas.toSorted((a, b) => a - b);
  const nextWord = mulberry32Bits(sorted.length);
  const sums = Array.from({ length: 100_000 }, () => 0);
  for (let start = 0; start < sorted.length; start += 32) {
    const block = sorted.slice(start, start + 32);
    for (let draw = 0; draw < sums.length; draw++) {
      const word = nextWord();
      for (let bit = 0; bit < block.length; bit++) sums[draw]! += ((word >>> bit) & 1 ? 1 : -1) * block[bit]!;
    }
  }
  const observed = Math.abs(sorted.reduce((sum, delta) => sum + delta, 0));
  return (sums.filter((sum) => Math.abs(sum) >= observed - 1e-9).length + 1) / 100_001;
}

/** Φ(z), Abramowitz & Stegun 7.1.26: good to 1.5e-7. */
function normalCdf(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 1 - 0.5 * poly * Math.exp(-x * x);
}
