import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactSum } from './exact-sum.js';
import { mean } from './mean.js';

const sum = (values: readonly number[]): number => {
  const total = new ExactSum();
  for (const value of values) total.add(value);
  return total.value;
};

describe('ExactSum', () => {
  it('is 0 at first', () => {
    expect(new ExactSum().value).toBe(0);
  });

  it('keeps what plain addition loses', () => {
    expect(sum([1e16, 1, -1e16])).toBe(1);
    expect(sum(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(sum([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52);
  });

  it('gives the same bits in any order', () => {
    const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), { maxLength: 50 });
    fc.assert(
      fc.property(
        values.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(sum(shuffled)).toBe(sum(list));
        },
      ),
    );
  });

  it('refuses NaN and infinities', () => {
    expect(() => new ExactSum().add(Number.NaN)).toThrow(RangeError);
    expect(() => new ExactSum().add(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });
});

describe('mean', () => {
  it('is null for nothing and exact for little', () => {
    expect(mean([])).toBeNull();
    expect(mean(Object.freeze([0.1, 0.2, 0.3]))).toBe(mean(Object.freeze([0.3, 0.2, 0.1])));
    expect(mean([0.5, 0.5, 0.5])).toBe(0.5);
  });
});
