import { ExactSum } from './exact-sum.js';

/**
 * Arithmetic mean of finite numbers, with a correctly rounded sum: the same bits in any order.
 *
 * @returns `null` for no values.
 * @throws RangeError for NaN or an infinity.
 * @example mean([1, 2, 4]) // 2.3333333333333335
 */
export function mean(values: Iterable<number>): number | null {
  const sum = new ExactSum();
  let count = 0;
  for (const value of values) {
    sum.add(value);
    count++;
  }
  return count === 0 ? null : sum.value / count;
}
