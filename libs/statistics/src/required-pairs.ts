import { detectionFactor, type PowerSettings } from './minimum-detectable-effect.js';

/** What scatters a paired difference. */
export interface PairedSpread {
  /** ω²: variance over examples of the difference of the two sides' expected scores. */
  readonly differenceVariance: number;
  /** Mean variance of one completion's score around its example's expectation, and completions per example, of each side. */
  readonly sides?: readonly { readonly completionVariance: number; readonly completions: number }[];
}

/**
 * How many pairs a paired comparison needs to find a true difference of `effect`. Normal approximation, not rounded up:
 *
 *   n = (z_{1−α/2} + z_power)² · (ω² + σ²_A/K_A + σ²_B/K_B) / δ²
 *
 * @param effect δ ≠ 0.
 * @throws RangeError for an effect of 0: no number of pairs finds it.
 * Source: E. Miller, "Adding Error Bars to Evals" (2024), §5, eq. 9.
 * @example Math.ceil(requiredPairs(0.03, { differenceVariance: 1 / 9 })) // 969
 */
export function requiredPairs(effect: number, spread: PairedSpread, settings: PowerSettings = {}): number {
  if (!Number.isFinite(effect) || effect === 0) throw new RangeError(`requiredPairs needs an effect other than 0, got ${effect}`);
  const within = (spread.sides ?? []).reduce((sum, side) => sum + side.completionVariance / side.completions, 0);
  return (detectionFactor(settings) / effect) ** 2 * (spread.differenceVariance + within);
}
