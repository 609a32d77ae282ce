import { describe, expect, it } from 'vitest';
import { memoryGrowth } from './memory-growth.js';

describe('memoryGrowth', () => {
  it.each([
    [[1, 5, 9, 10, 10, 10, 10, 10, 10], 0],
    [[1, 5, 9, 10, 90, 10, 11, 11, 99], 0.1],
    [[7, 8, 10, 10, 20, 20], 1],
  ])('of %j is %f', (bytes, growth) => {
    expect(memoryGrowth(bytes)).toBeCloseTo(growth);
  });

  it('needs a series', () => expect(() => memoryGrowth([1, 2])).toThrow(/no series/));
});
