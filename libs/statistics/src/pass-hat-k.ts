import { fallingRatio } from './falling-ratio.js';
import { requireSampled } from './pass-at-k.js';

/**
 * The unbiased estimate of pass^k: the chance that all of k completions pass, from n ≥ k of which c passed.
 *
 *   C(c, k) / C(n, k)
 *
 * @returns `null` for n < k.
 * @throws RangeError unless 0 ≤ c ≤ n and k ≥ 1, all integers.
 * Source: Yao et al., "τ-bench" (2024), §4.
 * @example passHatK({ n: 5, passes: 2, k: 2 }) // 0.1
 */
export function passHatK({ n, passes, k }: { readonly n: number; readonly passes: number; readonly k: number }): number | null {
  requireSampled(n, passes, k);
  return n < k ? null : fallingRatio(passes, n, k).ratio;
}
