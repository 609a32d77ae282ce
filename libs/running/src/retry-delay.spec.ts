import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './retry-delay.js';

describe('retryDelayMs', () => {
  it.each([
    [1, 0, 1_000],
    [2, 0, 2_000],
    [3, 0, 4_000],
    [3, 0.5, 5_000],
    [7, 0, 60_000],
    [5_000, 0, 60_000],
    [0, 0, 1_000],
  ])('start %i, random %d: %i ms', (starts, random, ms) => {
    expect(retryDelayMs(starts, random)).toBe(ms);
  });

  it('never shrinks with more starts, and stays between 1 s and 90 s', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), random, (starts, spread) => {
        const delay = retryDelayMs(starts, spread);
        expect(delay).toBeGreaterThanOrEqual(1_000);
        expect(delay).toBeLessThanOrEqual(90_000);
        expect(retryDelayMs(starts + 1, spread)).toBeGreaterThanOrEqual(delay);
      }),
    );
  });
});
