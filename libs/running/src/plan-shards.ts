/** Samples in one shard, at most: what one result transaction carries comfortably. */
export const MAX_SHARD_SAMPLES = 512;
/** How long a shard should take: long against the cost of a claim, short against a lease. */
export const SHARD_SECONDS = 5;

export interface ShardRange {
  /** Example block: shards of one block in all runs are dispatched side by side. */
  block: number;
  firstOrdinal: number;
  /** Examples. */
  count: number;
}

/**
 * Cuts a suite into ranges of whole examples, about SHARD_SECONDS of work each and never more than MAX_SHARD_SAMPLES samples.
 * An example's completions always stay together, so a range holds at least one example.
 *
 * @param exampleCount examples of the suite, ≥ 1
 * @param k completions per example, 1..128
 * @param secondsPerSample expected time of one sample, > 0
 */
export function planShards(exampleCount: number, k: number, secondsPerSample: number): ShardRange[] {
  const samples = Math.min(MAX_SHARD_SAMPLES, Math.max(1, Math.floor(SHARD_SECONDS / secondsPerSample)));
  const examples = Math.max(1, Math.floor(samples / k));
  const ranges: ShardRange[] = [];
  for (let first = 0, block = 0; first < exampleCount; first += examples, block += 1) {
    ranges.push({ block, firstOrdinal: first, count: Math.min(examples, exampleCount - first) });
  }
  return ranges;
}
