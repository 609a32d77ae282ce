import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from './normal-quantile.js';
import { studentTQuantile } from './student-t-quantile.js';
import vectors from './vectors/stats.json' with { type: 'json' };

describe('studentTQuantile', () => {
  it('agrees with the table, whose scipy 1.10 was good to 10 digits', () => {
    for (const { df, t } of vectors.t_quantiles_975) expect(Math.abs(studentTQuantile(0.975, df) / t - 1), `${df}`).toBeLessThan(3e-11);
  });

  // scipy 1.17 `stats.t.ppf`.
  it.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 9, 2.2621571627982053],
    [0.6, 5, 0.2671808657041451],
    [0.9, 7, 1.4149239276505086],
    [0.025, 12, -2.1788128296672293],
    [0.995, 50, 2.677793270940844],
    [0.975, 1000, 1.9623390808264083],
    [0.975, 1001, 1.9623367052808798],
    [0.975, 5000, 1.9604385517065073],
    [0.999, 100_000, 3.0903138094272378],
  ])('%f with %i degrees of freedom', (p, df, t) => {
    expect(studentTQuantile(p, df)).toBeCloseTo(t, 11);
  });

  it('has closed forms for one and two degrees of freedom', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), (p) => {
        const cauchy = Math.tan(Math.PI * (p - 0.5));
        const two = (2 * p - 1) / Math.sqrt(2 * p * (1 - p));
        expect(Math.abs(studentTQuantile(p, 1) - cauchy)).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(cauchy)));
        expect(Math.abs(studentTQuantile(p, 2) - two)).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(two)));
      }),
    );
  });

  it('is wider than the normal one, ever less so', () => {
    let before = Infinity;
    for (const df of [1, 2, 3, 10, 999, 1000, 1001, 1_000_000]) {
      const t = studentTQuantile(0.975, df);
      expect(t).toBeLessThan(before);
      expect(t).toBeGreaterThan(normalQuantile(0.975));
      before = t;
    }
  });

  it('is 0 at a half and refuses what has no quantile', () => {
    expect(studentTQuantile(0.5, 4)).toBe(0);
    for (const df of [0, -1, 1.5, Number.NaN]) expect(() => studentTQuantile(0.9, df)).toThrow(RangeError);
    expect(() => studentTQuantile(1, 3)).toThrow(RangeError);
  });
});
