import { describe, expect, it } from 'vitest';
import { defaultMemoryBudget, memoryBudget } from './memory-budget.js';

const GIB = 2 ** 30;

describe('defaultMemoryBudget', () => {
  it.each([
    [0, 16 * GIB, { kvCacheBytes: 4 * GIB, weightBytes: 8 * GIB }],
    [2 * GIB, 16 * GIB, { kvCacheBytes: GIB / 2, weightBytes: GIB }],
    // Where nothing limits a process, the kernel reports a number near 2^63.
    [2 ** 63, 8 * GIB, { kvCacheBytes: 2 * GIB, weightBytes: 4 * GIB }],
  ])('with a limit of %i on a machine of %i', (constrained, machine, expected) => {
    expect(defaultMemoryBudget(constrained, machine)).toEqual(expected);
  });
});

describe('memoryBudget', () => {
  it('takes what is set, and the rest by rule', () => {
    expect(memoryBudget({ kvCacheBytes: 5, weightBytes: 0 })).toEqual({ kvCacheBytes: 5, weightBytes: 0 });
    expect(memoryBudget({ kvCacheBytes: null })).toEqual(defaultMemoryBudget());
    expect(memoryBudget({ weightBytes: 7 }, 80 * GIB)).toEqual({ kvCacheBytes: 20 * GIB, weightBytes: 7 });
  });
});
