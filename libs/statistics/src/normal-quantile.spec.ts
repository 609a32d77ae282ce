import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from './normal-quantile.js';
import { Z_95 } from './standard-normal.js';
import vectors from './vectors/stats.json' with { type: 'json' };

describe('normalQuantile', () => {
  // Python 3.11 `statistics.NormalDist().inv_cdf`, one value per branch and side.
  it.each([
    [0.5, 0],
    [0.55, 0.12566134685507413],
    [0.8, 0.8416212335729144],
    [0.99, 2.3263478740408408],
    [0.9999, 3.7190164854557084],
    [1e-3, -3.090232306167813],
    [1e-13, -7.3487961028006765],
    [1e-300, -37.0470962993612],
  ])('of %f is %f', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 13);
  });

  it('agrees with the table of two-sided quantiles and with the z of intervals', () => {
    for (const [level, z] of Object.entries(vectors.normal_quantiles.z_two_sided)) {
      expect(normalQuantile((1 + Number(level)) / 2)).toBeCloseTo(z, 14);
    }
    expect(normalQuantile(0.975)).toBeCloseTo(Z_95, 15);
  });

  it('is odd around a half and rises', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 20 - 1 }), (step) => {
        const p = step / 2 ** 20;
        expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 13);
        if (step > 1) expect(normalQuantile(p)).toBeGreaterThan(normalQuantile((step - 1) / 2 ** 20));
      }),
    );
  });

  it.each([0, 1, -0.1, 1.1, Number.NaN])('refuses %f', (p) => {
    expect(() => normalQuantile(p)).toThrow(RangeError);
  });
});
