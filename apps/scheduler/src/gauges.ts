import { type Database, liveBudgets, outboxBacklog, shardCounts } from '@kiln/database';
import { type Metrics } from '@kiln/observability';
import { poolOf } from '@kiln/running';

/** Sets the gauges that describe shared state; the leader alone exports them. */
export async function setGauges(db: Database, metrics: Metrics): Promise<void> {
  const [shards, outbox, budgets] = await Promise.all([shardCounts(db), outboxBacklog(db), liveBudgets(db)]);
  metrics.shards.reset();
  metrics.queueOldestAge.reset();
  for (const { state, queue, count, oldestSeconds } of shards) {
    const pool = poolOf(queue);
    metrics.shards.inc({ state, pool }, count);
    if (state === 'waiting') metrics.queueOldestAge.set({ pool }, oldestSeconds);
  }
  metrics.outboxUnpublished.set(outbox.count);
  metrics.outboxOldestAge.set(outbox.oldestSeconds);
  for (const [unit, sums] of Object.entries(budgets)) {
    metrics.budgetCap.set({ scope: 'job', unit }, sums.cap);
    metrics.budgetReserved.set({ scope: 'job', unit }, sums.reserved);
    metrics.budgetSpent.set({ scope: 'job', unit }, sums.spent);
  }
}
