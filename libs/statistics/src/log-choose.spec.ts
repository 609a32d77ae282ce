import { describe, expect, it } from 'vitest';
import { logChoose } from './log-choose.js';
import { logFactorial } from './log-factorial.js';

describe('logFactorial', () => {
  it('is the logarithm of the exact factorial where a double holds it', () => {
    expect(logFactorial(0)).toBe(0);
    expect(logFactorial(1)).toBe(0);
    expect(logFactorial(5)).toBe(Math.log(120));
  });

  it('has no seam between the exact and the series part', () => {
    for (let n = 1; n <= 60; n++) {
      expect(logFactorial(n) - logFactorial(n - 1)).toBeCloseTo(Math.log(n), 12);
    }
  });

  it('agrees with exact integers', () => {
    let factorial = 1n;
    for (let n = 1n; n <= 170n; n++) {
      factorial *= n;
      const expected = Math.log(Number(factorial));
      expect(Math.abs(logFactorial(Number(n)) - expected)).toBeLessThanOrEqual(4e-16 * Math.max(1, expected));
    }
  });

  it('refuses what has no factorial', () => {
    expect(() => logFactorial(-1)).toThrow(RangeError);
    expect(() => logFactorial(1.5)).toThrow(RangeError);
  });
});

describe('logChoose', () => {
  it('counts selections', () => {
    expect(Math.exp(logChoose(5, 2))).toBeCloseTo(10, 12);
    expect(Math.exp(logChoose(52, 5))).toBeCloseTo(2_598_960, 4);
    expect(logChoose(9, 0)).toBe(0);
    expect(logChoose(9, 9)).toBe(0);
  });

  it('stays finite where the number itself overflows', () => {
    // log10 C(1600, 700) from exact integers.
    let exact = 1n;
    for (let i = 1n; i <= 700n; i++) exact = (exact * (1600n - i + 1n)) / i;
    const digits = exact.toString();
    const expected = Math.log(Number(digits.slice(0, 17))) + (digits.length - 17) * Math.LN10;
    expect(logChoose(1600, 700)).toBeCloseTo(expected, 9);
  });

  it('refuses to pick more than there are', () => {
    expect(() => logChoose(3, 4)).toThrow(RangeError);
    expect(() => logChoose(3, -1)).toThrow(RangeError);
  });
});
