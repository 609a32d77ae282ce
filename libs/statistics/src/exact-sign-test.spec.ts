import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactSignTest } from './exact-sign-test.js';
import { logChoose } from './log-choose.js';
import vectors from './vectors/stats.json' with { type: 'json' };

describe('exactSignTest', () => {
  it.each([
    [9, 2, 134 / 2048],
    [15, 3, 1976 / 262144],
    [5, 5, 1],
    [6, 0, 0.03125],
    [5, 0, 0.0625],
    [0, 0, 1],
    [15, 5, 5425 / 131072],
  ])('(%i, %i) is exactly %f', (improved, regressed, p) => {
    expect(exactSignTest(improved, regressed)).toBe(p);
    expect(exactSignTest(regressed, improved)).toBe(p);
  });

  it('agrees with scipy to 12 digits, the precision of evidence', () => {
    for (const { wins, losses, p, 'significant_0.05': significant } of vectors.sign_test.cases) {
      const actual = exactSignTest(wins, losses);
      expect(Math.abs(actual - p) / p, `${wins}:${losses}`).toBeLessThan(5e-13);
      expect(actual < 0.05).toBe(significant);
    }
  });

  it('does not underflow', () => {
    expect(exactSignTest(900, 700)).toBeGreaterThan(0);
    expect(exactSignTest(900, 700)).toBeLessThan(1e-6);
    expect(exactSignTest(5000, 0)).toBe(Number.MIN_VALUE);
  });

  it('agrees with exact integer arithmetic past the integers that a double holds', () => {
    for (const [n, k] of [
      [54, 20],
      [64, 0],
      [70, 34],
      [500, 211],
      [3000, 1450],
      [20_000, 9_000],
    ] as const) {
      let term = 1n;
      let sum = 1n;
      for (let i = 1n; i <= BigInt(k); i++) {
        term = (term * (BigInt(n) - i + 1n)) / i;
        sum += term;
      }
      // 2·sum / 2ⁿ with 60 bits kept, so that the quotient is good to 18 digits.
      const shift = BigInt(n - 1) - BigInt(sum.toString(2).length) + 60n;
      const expected = Number((sum << shift) >> BigInt(n - 1)) * 2 ** -Number(shift);
      expect(Math.abs(exactSignTest(n - k, k) / expected - 1), `${n - k}:${k}`).toBeLessThan(1e-12);
    }
  });

  it('agrees with the logarithmic form', () => {
    const tail = Array.from({ length: 41 }, (_, i) => Math.exp(logChoose(120, i) - 120 * Math.LN2));
    expect(exactSignTest(80, 40)).toBeCloseTo(2 * tail.reduce((a, b) => a + b, 0), 12);
  });

  it('is a symmetric probability that falls as the evidence leans further', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), (a, b) => {
        const p = exactSignTest(a, b);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(exactSignTest(b, a)).toBe(p);
        const [more, fewer] = a > b ? [a, b] : [b, a];
        expect(exactSignTest(more + 1, Math.max(0, fewer - 1))).toBeLessThanOrEqual(p);
      }),
    );
  });

  it('refuses counts that are none', () => {
    expect(() => exactSignTest(-1, 2)).toThrow(RangeError);
    expect(() => exactSignTest(1.5, 2)).toThrow(RangeError);
  });
});
