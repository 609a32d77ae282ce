/** The running product is rescaled by this before it can overflow; a power of two, so nothing is rounded. */
const RESCALE_EXPONENT = 512;
const RESCALE = 2 ** RESCALE_EXPONENT;

/**
 * Exact two-sided sign test on discordant pairs; ties are left out before.
 *
 *   n = improved + regressed,  p = min(1, 2 · Σ_{i=0}^{min} C(n, i) / 2ⁿ)
 *
 * The tail is the largest term times Σ C(n, i)/C(n, min). C(n, min) is kept as a product and a binary exponent: log
 * space without logarithms. It cannot overflow, it is exact while the integers are (n ≤ 53), and it uses only additions,
 * multiplications and divisions, so that every platform gives the same bits (Math.log may differ between versions, and
 * at n = 10,000 a difference of logarithms is good to 11 digits only).
 *
 * (0, 0) and equal counts give exactly 1. A p below the smallest double is reported as that double, never as 0.
 *
 * @returns p in (0, 1]; symmetric in its arguments. Significant means p < 0.05, strictly.
 * @throws RangeError when a count is negative or fractional.
 * Source: Dixon & Mood, JASA 41 (1946) 557–566; the contract's "exact two-sided binomial on discordant pairs".
 * @example exactSignTest(6, 0) // 0.03125
 */
export function exactSignTest(improved: number, regressed: number): number {
  if (!Number.isSafeInteger(improved) || !Number.isSafeInteger(regressed) || improved < 0 || regressed < 0) {
    throw new RangeError(`exactSignTest needs counts >= 0, got ${improved} and ${regressed}`);
  }
  const pairs = improved + regressed;
  const fewer = Math.min(improved, regressed);
  if (fewer * 2 === pairs) return 1;
  let tail = 1;
  let term = 1;
  let exponent = 1 - pairs;
  for (let i = 1; i <= fewer; i++) {
    // Multiply before dividing: C(n, i−1)·(n−i+1) is divisible by i, so small counts stay exact integers.
    term = (term * (pairs - i + 1)) / i;
    tail += term;
    if (tail > RESCALE) {
      tail /= RESCALE;
      term /= RESCALE;
      exponent += RESCALE_EXPONENT;
    }
  }
  return Math.min(1, Math.max(timesPowerOfTwo(tail, exponent), Number.MIN_VALUE));
}

/** value · 2^exponent in steps, because 2^exponent alone may underflow where the result does not. */
function timesPowerOfTwo(value: number, exponent: number): number {
  let result = value;
  let left = exponent;
  for (; left < -RESCALE_EXPONENT && result > 0; left += RESCALE_EXPONENT) result /= RESCALE;
  return result * 2 ** left;
}
