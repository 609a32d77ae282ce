/**
 * How long a shard waits before it is tried again: 1 s, 2 s, 4 s … up to a minute, plus up to half of that so that shards
 * which failed together do not come back together.
 *
 * @param starts fruitless starts so far, ≥ 1
 * @param random uniform in [0, 1)
 * @returns milliseconds
 */
export function retryDelayMs(starts: number, random: number): number {
  const base = Math.min(60_000, 1000 * 2 ** Math.max(0, starts - 1));
  return Math.round(base * (1 + random / 2));
}
