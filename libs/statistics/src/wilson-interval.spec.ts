import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from './normal-quantile.js';
import vectors from './vectors/stats.json' with { type: 'json' };
import { wilsonInterval } from './wilson-interval.js';

describe('wilsonInterval', () => {
  it.each([
    [20, 20, 0.83887, 1],
    [38, 40, 0.83496, 0.98618],
    [40, 40, 0.91238, 1],
    [0, 20, 0, 0.16113],
    [8, 10, 0.4902, 0.9433],
    [850, 1000, 0.8265, 0.8708],
  ])('%i/%i is %f..%f', (k, n, lower, upper) => {
    const interval = wilsonInterval(k, n);
    expect(interval?.lower).toBeCloseTo(lower, 4);
    expect(interval?.upper).toBeCloseTo(upper, 4);
  });

  it('agrees with statsmodels, at other levels too', () => {
    expect(vectors.wilson.cases).toHaveLength(240);
    for (const { k, n, conf, lower, upper } of vectors.wilson.cases) {
      const interval = conf === 0.95 ? wilsonInterval(k, n) : wilsonInterval(k, n, normalQuantile((1 + conf) / 2));
      expect(interval?.lower, `${k}/${n} at ${conf}`).toBeCloseTo(lower, 14);
      expect(interval?.upper, `${k}/${n} at ${conf}`).toBeCloseTo(upper, 14);
    }
  });

  it('is null without trials', () => {
    expect(wilsonInterval(0, 0)).toBeNull();
  });

  it.each([
    [0.8, 16],
    [0.9, 35],
    [0.95, 73],
  ])('needs the known number of all-pass examples to clear %f', (floor, needed) => {
    expect(wilsonInterval(needed, needed)?.lower).toBeGreaterThanOrEqual(floor);
    expect(wilsonInterval(needed - 1, needed - 1)?.lower).toBeLessThan(floor);
  });

  it('holds the proportion, stays in 0..1, is exact at the edges and mirrors', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const k = Math.round(n * share);
        const interval = wilsonInterval(k, n)!;
        const mirror = wilsonInterval(n - k, n)!;
        expect(interval.lower).toBeGreaterThanOrEqual(0);
        expect(interval.upper).toBeLessThanOrEqual(1);
        expect(interval.lower).toBeLessThanOrEqual(k / n);
        expect(interval.upper).toBeGreaterThanOrEqual(k / n);
        expect(interval.lower).toBeCloseTo(1 - mirror.upper, 12);
        expect(interval.lower === 0).toBe(k === 0);
        expect(interval.upper === 1).toBe(k === n);
      }),
    );
  });

  it.each([
    [-1, 10],
    [11, 10],
    [0.5, 10],
    [0, Number.NaN],
  ])('refuses %f of %f', (k, n) => {
    expect(() => wilsonInterval(k, n)).toThrow(RangeError);
  });
});
