import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadOrdinals } from './spread-ordinals.js';

describe('spreadOrdinals', () => {
  it('is all of them up to the limit, then evenly spaced ones', () => {
    expect(spreadOrdinals(0, 3)).toEqual([]);
    expect(spreadOrdinals(3, 3)).toEqual([0, 1, 2]);
    expect(spreadOrdinals(5, 3)).toEqual([0, 2, 4]);
    expect(spreadOrdinals(1_000_000, 4)).toEqual([0, 333_333, 666_666, 999_999]);
  });

  it('has no ordinal twice, the first and the last, and no gap far above the mean', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 2, max: 300 }), (count, limit) => {
        const ordinals = spreadOrdinals(count, limit);
        expect(ordinals).toHaveLength(Math.min(count, limit));
        expect([ordinals[0], ordinals.at(-1)]).toEqual([0, count - 1]);
        const gaps = ordinals.slice(1).map((ordinal, index) => ordinal - ordinals[index]!);
        for (const gap of gaps) expect(gap >= 1 && gap <= Math.max(1, Math.ceil((count - 1) / (limit - 1)))).toBe(true);
      }),
    );
  });
});
