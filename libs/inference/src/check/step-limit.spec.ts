import { describe, expect, it } from 'vitest';
import { stepLimit } from './step-limit.js';

/** Measured once on one core; the limits beside it were worked out by hand from the formula. */
const MACHINE = { bytesPerS: 21e9, flopsPerS: 97e9 };
const PARAMETERS = 12 * (768 * 64 * (2 * 12 + 2 * 4) + 3 * 768 * 2048) + 768 * 32_000;
const WEIGHTS = { parameters: PARAMETERS, bytes: 4 * PARAMETERS, queryHeads: 12 };

/** Keys and values of twelve layers. */
const cache = Array.from({ length: 24 }, () => ({ heads: 4, headSize: 64, type: 'float32' as const }));

describe('stepLimit', () => {
  it.each([
    { rows: 1, context: 256, ms: 19.3, bound: 'bandwidth' },
    { rows: 8, context: 256, ms: 21.4, bound: 'bandwidth' },
    { rows: 32, context: 256, ms: 69, bound: 'compute' },
    { rows: 32, context: 1024, ms: 79, bound: 'compute' },
  ])('of $rows rows at $context tokens is $ms ms of $bound', ({ rows, context, ms, bound }) => {
    const limit = stepLimit(WEIGHTS, { cache, states: [] }, { rows, context }, MACHINE);
    expect(Math.abs(limit.seconds * 1000 - ms)).toBeLessThan(0.6);
    expect(limit.bound).toBe(bound);
  });

  it('counts states once for each row, whatever the context', () => {
    const state = { shape: [10, 100], type: 'float16' as const };
    const at = (rows: number, context: number) =>
      stepLimit({ ...WEIGHTS, bytes: 0, parameters: 0 }, { cache: [], states: [state] }, { rows, context }, MACHINE).seconds;
    expect(at(3, 10)).toBeCloseTo((3 * 2000) / 21e9, 15);
    expect(at(3, 1000)).toBe(at(3, 10));
  });
});
