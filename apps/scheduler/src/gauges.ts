import { type Database, shardCounts } from '@kiln/database';
import { type Metrics } from '@kiln/observability';
import { poolOf } from '@kiln/running';

/** Sets the gauges that describe shared state; the leader alone exports them. */
export async function setGauges(db: Database, metrics: Metrics): Promise<void> {
  const counts = await shardCounts(db);
  metrics.shards.reset();
  metrics.queueOldestAge.reset();
  for (const { state, queue, count, oldestSeconds } of counts) {
    const pool = poolOf(queue);
    metrics.shards.inc({ state, pool }, count);
    if (state === 'waiting') metrics.queueOldestAge.set({ pool }, oldestSeconds);
  }
}
