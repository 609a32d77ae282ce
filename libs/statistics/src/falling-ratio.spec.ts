import { describe, expect, it } from 'vitest';
import { fallingRatio } from './falling-ratio.js';

describe('fallingRatio', () => {
  it('is exact where the quotient is', () => {
    expect(fallingRatio(3, 5, 2)).toEqual({ ratio: 0.3, rest: 0.7 });
    expect(fallingRatio(7, 7, 7)).toEqual({ ratio: 1, rest: 0 });
    expect(fallingRatio(4, 9, 0)).toEqual({ ratio: 1, rest: 0 });
    expect(fallingRatio(2, 9, 3)).toEqual({ ratio: 0, rest: 1 });
  });

  it('keeps a small rest that 1 − ratio would lose', () => {
    // Π over 2 terms: 1 − (1 − 1e-15)·…, whose subtraction in doubles is good to one digit only.
    const [a, b] = [10 ** 15 - 1, 10 ** 15];
    expect(fallingRatio(a, b, 1).rest).toBe(1e-15);
  });

  it.each([
    [6, 5, 1],
    [-1, 5, 1],
    [2, 5, 6],
    [2, 5, 0.5],
  ])('refuses %f of %f in %f terms', (a, b, terms) => {
    expect(() => fallingRatio(a, b, terms)).toThrow(RangeError);
  });
});
