import { planShards, type ShardRange } from './plan-shards.js';

/**
 * Cuts the selected examples of a suite into shards. A shard is a range without gaps, so that its samples are its examples times
 * the completions everywhere: examples that stand alone make shards of one.
 *
 * @param ordinals in ascending order, each once, at least one
 */
export function planSelectedShards(ordinals: readonly number[], k: number, secondsPerSample: number): ShardRange[] {
  const ranges: ShardRange[] = [];
  for (let at = 0; at < ordinals.length;) {
    const first = ordinals[at]!;
    let length = 1;
    while (ordinals[at + length] === first + length) length += 1;
    for (const range of planShards(length, k, secondsPerSample)) {
      ranges.push({ ...range, block: ranges.length, firstOrdinal: first + range.firstOrdinal });
    }
    at += length;
  }
  return ranges;
}
