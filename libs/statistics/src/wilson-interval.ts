import { Z_95 } from './standard-normal.js';

/** Bounds of a proportion, 0 ≤ lower ≤ upper ≤ 1. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Wilson score interval (no continuity correction) for `successes` out of `trials`.
 *
 *   (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n),  p = k/n
 *
 * `null` when there are no trials: nothing is known, and 0..0 or 0..1 would say otherwise.
 * All or none give exactly 1 or 0 at that edge, where naive binary64 leaves noise such as 5.6e-17.
 *
 * @param z two-sided quantile of the wanted confidence; 95 %, the level of every rate in the product, when absent.
 * @throws RangeError when the counts are not integers with 0 ≤ successes ≤ trials.
 * Source: E. B. Wilson, JASA 22 (1927) 209–212.
 * @example wilsonInterval(20, 20) // { lower: 0.8388748419471806, upper: 1 }
 */
export function wilsonInterval(successes: number, trials: number, z = Z_95): Interval | null {
  if (!Number.isSafeInteger(successes) || !Number.isSafeInteger(trials) || successes < 0 || successes > trials) {
    throw new RangeError(`wilsonInterval needs integers 0 <= successes <= trials, got ${successes} of ${trials}`);
  }
  if (trials === 0) return null;
  const z2 = z * z;
  const p = successes / trials;
  const scale = 1 + z2 / trials;
  const centre = (p + z2 / (2 * trials)) / scale;
  const half = (z * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials * trials))) / scale;
  return {
    lower: successes === 0 ? 0 : Math.max(0, centre - half),
    upper: successes === trials ? 1 : Math.min(1, centre + half),
  };
}
