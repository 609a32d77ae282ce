import { logFactorial } from './log-factorial.js';

/**
 * ln C(n, k): the logarithm of the number of ways to pick k of n.
 *
 *   ln n! − ln k! − ln (n−k)!
 *
 * Logarithms keep C(1600, 700) ≈ 1e475 representable.
 *
 * @throws RangeError unless n and k are integers with 0 ≤ k ≤ n.
 * @example Math.exp(logChoose(5, 2)) // 10, to rounding
 */
export function logChoose(n: number, k: number): number {
  if (!Number.isSafeInteger(n) || !Number.isSafeInteger(k) || k < 0 || k > n) {
    throw new RangeError(`logChoose needs integers 0 <= k <= n, got n=${n}, k=${k}`);
  }
  if (k === 0 || k === n) return 0;
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}
