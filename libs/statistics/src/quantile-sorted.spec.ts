import { describe, expect, it } from 'vitest';
import { quantileSorted } from './quantile-sorted.js';

describe('quantileSorted', () => {
  it('takes the value at index round(q·(n−1)), half up', () => {
    expect(quantileSorted(Object.freeze([10, 20, 30, 40]), 0.5)).toBe(30);
    expect(quantileSorted([10, 20, 30, 40, 50], 0.5)).toBe(30);
    expect(quantileSorted([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9);
    expect(quantileSorted([1, 2], 0)).toBe(1);
    expect(quantileSorted([1, 2], 1)).toBe(2);
  });

  it('is null for nothing and refuses a q outside 0..1', () => {
    expect(quantileSorted([], 0.5)).toBeNull();
    expect(() => quantileSorted([1], 1.5)).toThrow(RangeError);
    expect(() => quantileSorted([1], Number.NaN)).toThrow(RangeError);
  });
});
