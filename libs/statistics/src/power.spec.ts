import { describe, expect, it } from 'vitest';
import { exactSignTest } from './exact-sign-test.js';
import { minimumDetectableEffect } from './minimum-detectable-effect.js';
import { mulberry32 } from './mulberry32.js';
import { requiredPairs } from './required-pairs.js';
import { signTestPower } from './sign-test-power.js';
import vectors from './vectors/stats.json' with { type: 'json' };

describe('minimumDetectableEffect', () => {
  it('agrees with the vectors', () => {
    for (const { n, omega2_var_of_difference: variance, mde, alpha, power } of vectors.power.mde) {
      expect(minimumDetectableEffect(Math.sqrt(variance / n), { alpha, power })).toBeCloseTo(mde, 14);
    }
  });

  it('is 2.80 standard errors', () => {
    expect(minimumDetectableEffect(1)).toBeCloseTo(2.8015852181129697, 13);
    expect(minimumDetectableEffect(0)).toBe(0);
    expect(() => minimumDetectableEffect(-1)).toThrow(RangeError);
    expect(() => minimumDetectableEffect(Number.NaN)).toThrow(RangeError);
  });
});

describe('requiredPairs', () => {
  it('agrees with the vectors', () => {
    for (const { omega2, sigma2_A, K_A, sigma2_B, K_B, delta, alpha, power, n_real, n_ceil } of vectors.power.sample_size) {
      const sides = [
        { completionVariance: sigma2_A, completions: K_A },
        { completionVariance: sigma2_B, completions: K_B },
      ];
      const pairs = requiredPairs(delta, { differenceVariance: omega2, sides }, { alpha, power });
      expect(pairs).toBeCloseTo(n_real, 9);
      expect(Math.ceil(pairs)).toBe(n_ceil);
    }
  });

  it('is the inverse of the detectable effect, whatever its direction', () => {
    const pairs = requiredPairs(-0.04, { differenceVariance: 0.2 });
    expect(minimumDetectableEffect(Math.sqrt(0.2 / pairs))).toBeCloseTo(0.04, 14);
    expect(() => requiredPairs(0, { differenceVariance: 0.2 })).toThrow(RangeError);
  });
});

describe('signTestPower', () => {
  it('agrees with the vectors', () => {
    for (const { n, p_improve: improve, p_regress: regress, alpha, ...expected } of vectors.power.exact_sign_test_power) {
      const power = signTestPower(n, { improve, regress }, alpha);
      expect(power.twoSided).toBeCloseTo(expected.power_two_sided, 12);
      expect(power.improved).toBeCloseTo(expected.power_improved_only, 12);
    }
  });

  it('is what simulated comparisons show', () => {
    const random = mulberry32(7);
    const [runs, pairs, improve, regress] = [4000, 40, 0.25, 0.05];
    let significant = 0;
    for (let run = 0; run < runs; run++) {
      let [improved, regressed] = [0, 0];
      for (let pair = 0; pair < pairs; pair++) {
        const draw = random();
        if (draw < improve) improved++;
        else if (draw < improve + regress) regressed++;
      }
      if (exactSignTest(improved, regressed) < 0.05) significant++;
    }
    // Three standard deviations of the simulation.
    expect(Math.abs(significant / runs - signTestPower(pairs, { improve, regress }).twoSided)).toBeLessThan(3 * Math.sqrt(0.25 / runs));
  });

  it('is 0 where too few can change, 1 where all must, and mirrored', () => {
    expect(signTestPower(5, { improve: 1, regress: 0 })).toEqual({ twoSided: 0, improved: 0 });
    expect(signTestPower(6, { improve: 1, regress: 0 })).toEqual({ twoSided: 1, improved: 1 });
    expect(signTestPower(0, { improve: 0.5, regress: 0 })).toEqual({ twoSided: 0, improved: 0 });
    expect(signTestPower(50, { improve: 0, regress: 0 })).toEqual({ twoSided: 0, improved: 0 });
    const [up, down] = [signTestPower(30, { improve: 0.3, regress: 0.1 }), signTestPower(30, { improve: 0.1, regress: 0.3 })];
    expect(down.twoSided).toBeCloseTo(up.twoSided, 14);
    expect(down.twoSided - down.improved).toBeCloseTo(up.improved, 14);
  });

  it('refuses chances that are none', () => {
    expect(() => signTestPower(10, { improve: 0.7, regress: 0.7 })).toThrow(RangeError);
    expect(() => signTestPower(10, { improve: -0.1, regress: 0.7 })).toThrow(RangeError);
  });
});
