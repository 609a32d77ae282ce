import { normalQuantile } from './normal-quantile.js';

export interface PowerSettings {
  /** Two-sided level; 0.05 when absent. */
  readonly alpha?: number;
  /** Chance to see an effect of that size; 0.8 when absent. */
  readonly power?: number;
}

/**
 * The smallest true difference that a two-sided test at `alpha` finds with the given power, when the difference is
 * estimated with this standard error. Normal approximation:
 *
 *   (z_{1−α/2} + z_power) · se,  which is 2.80·se for α = 0.05 and power 0.8
 *
 * @param standardError of the difference, ≥ 0: √(ω²/n) for n pairs whose differences have variance ω².
 * Source: E. Miller, "Adding Error Bars to Evals" (2024), §5, eq. 9 solved for δ.
 * @example minimumDetectableEffect(Math.sqrt(1 / 9 / 198)) // 0.0664
 */
export function minimumDetectableEffect(standardError: number, settings: PowerSettings = {}): number {
  if (!(standardError >= 0 && standardError < Infinity)) throw new RangeError(`a standard error is >= 0, got ${standardError}`);
  return detectionFactor(settings) * standardError;
}

/** z_{1−α/2} + z_power. */
export function detectionFactor({ alpha = 0.05, power = 0.8 }: PowerSettings): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power);
}
