import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SHARD_SAMPLES, planShards, SHARD_SECONDS } from './plan-shards.js';

describe('planShards', () => {
  it.each([
    ['a second a sample: five a shard', 12, 1, 1, [5, 5, 2]],
    ['two completions each: two examples make four samples', 5, 2, 1, [2, 2, 1]],
    ['a sample longer than a shard: one example each', 3, 1, 60, [1, 1, 1]],
    ['more completions than fit: an example stays whole', 2, 128, 1, [1, 1]],
    ['quick samples: the limit of one transaction', 1000, 1, 0.0001, [512, 488]],
    ['quick samples, four each', 300, 4, 0.0001, [128, 128, 44]],
  ])('%s', (_name, examples, k, seconds, counts) => {
    expect(planShards(examples, k, seconds).map((range) => range.count)).toEqual(counts);
  });

  it('covers every example once, in order, within the limits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 128 }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        (examples, k, secondsPerSample) => {
          const ranges = planShards(examples, k, secondsPerSample);
          const ends = ranges.map((range) => range.firstOrdinal + range.count);
          expect(ranges.map((range) => range.block)).toEqual([...ranges.keys()]);
          expect(ranges.map((range) => range.firstOrdinal)).toEqual([0, ...ends.slice(0, -1)]);
          expect(ends.at(-1)).toBe(examples);
          const fits = (samples: number): boolean => samples <= MAX_SHARD_SAMPLES && samples * secondsPerSample <= SHARD_SECONDS + 1e-6;
          expect(ranges.filter((range) => range.count < 1 || (range.count > 1 && !fits(range.count * k)))).toEqual([]);
        },
      ),
    );
  });

  it('plans a million samples in a few thousand ranges', () => {
    expect(planShards(1_000_000, 1, 0.001)).toHaveLength(Math.ceil(1_000_000 / MAX_SHARD_SAMPLES));
  });
});
