import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSelectedShards } from './plan-selected-shards.js';
import { planShards } from './plan-shards.js';

const selections = fc.uniqueArray(fc.nat(400), { minLength: 1 }).map((ordinals) => ordinals.toSorted((a, b) => a - b));

describe('planSelectedShards', () => {
  it('covers the selected examples, each once and in order, and no other', () => {
    fc.assert(
      fc.property(selections, fc.integer({ min: 1, max: 128 }), fc.double({ min: 0.001, max: 10, noNaN: true }), (ordinals, k, seconds) => {
        const shards = planSelectedShards(ordinals, k, seconds);
        const covered = shards.flatMap(({ firstOrdinal, count }) => Array.from({ length: count }, (_, at) => firstOrdinal + at));
        expect(covered).toEqual(ordinals);
        expect(shards.map(({ block }) => block)).toEqual(shards.map((_, at) => at));
      }),
    );
  });

  it('cuts a whole suite as it is cut without a selection', () => {
    const all = Array.from({ length: 1000 }, (_, at) => at);
    expect(planSelectedShards(all, 4, 0.02)).toEqual(planShards(1000, 4, 0.02));
  });
});
