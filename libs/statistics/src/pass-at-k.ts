import { fallingRatio } from './falling-ratio.js';

/**
 * The unbiased estimate of pass@k: the chance that at least one of k completions passes, from n ≥ k of which c passed.
 *
 *   1 − C(n−c, k) / C(n, k)
 *
 * The plug-in 1 − (1 − c/n)^k is biased and is not offered.
 *
 * @returns `null` for n < k: that is not 1, as the formula's usual code answers, but unknown.
 * @throws RangeError unless 0 ≤ c ≤ n and k ≥ 1, all integers.
 * Source: Chen et al., "Evaluating Large Language Models Trained on Code" (2021), eq. 1.
 * @example passAtK({ n: 5, passes: 2, k: 3 }) // 0.9
 */
export function passAtK({ n, passes, k }: { readonly n: number; readonly passes: number; readonly k: number }): number | null {
  requireSampled(n, passes, k);
  if (n < k) return null;
  // C(n−c, k)/C(n, k) is symmetric in c and k: the shorter product.
  return k <= passes ? fallingRatio(n - passes, n, k).rest : fallingRatio(n - k, n, passes).rest;
}

/** @throws RangeError unless `passes` of `n` completions and a `k` are what they say. */
export function requireSampled(n: number, passes: number, k: number): void {
  if (![n, passes, k].every(Number.isSafeInteger) || passes < 0 || passes > n || k < 1) {
    throw new RangeError(`pass@k needs integers 0 <= passes <= n and k >= 1, got ${passes} of ${n}, k=${k}`);
  }
}
