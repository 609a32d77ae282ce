import {
  type Database,
  type DispatchedShard,
  endStoppedShards,
  reapExpired,
  removeDeadWorkers,
  stoppedJobs,
  stopHaltedJobs,
  unclaimedShards,
  undispatchShards,
} from '@kiln/database';
import { type Metrics } from '@kiln/observability';
import { type Queueing } from '@kiln/queue';

/** A message this young may simply be on its way. */
const YOUNG_MS = 2_000;
/** Repairs per pass: a pass stays short, and the next one goes on. */
const BATCH = 500;

export interface ReconcilerParts {
  db: Database;
  queueing: Queueing;
  metrics: Metrics;
  /**
   * A message this old is taken to be stuck even when the queue still holds it: one that was delivered to a worker which died
   * before its claim, or with a reply that was lost, is nobody's until its lock runs out. If it does arrive later, its claim finds
   * another dispatch number.
   */
  stuckMs: number;
  /** A worker that was silent for so long is forgotten. */
  deadMs: number;
}

/**
 * Repairs what crashes, restarts and lost messages leave behind. It needs nothing but the record and the queue's answer to "do
 * you hold this message": a wiped Redis costs seconds, not work. The withheld backlog is not its business.
 *
 * @returns repairs made
 */
export async function reconcile({ db, queueing, metrics, stuckMs, deadMs }: ReconcilerParts): Promise<number> {
  const expired = await reapExpired(db, BATCH);
  metrics.redispatches.inc({ reason: 'lease_expired' }, expired);
  const lost = await takeBackLostMessages(db, queueing, stuckMs);
  metrics.redispatches.inc({ reason: 'lost_dispatch' }, lost);
  await stopHaltedJobs(db);
  let ended = 0;
  for (const jobId of await stoppedJobs(db, BATCH)) ended += await endStoppedShards(db, jobId);
  await removeDeadWorkers(db, deadMs);
  if (expired + lost > 0) metrics.reconcileRepairs.inc({ invariant: 'shard_has_lease_or_message' }, expired + lost);
  return expired + lost + ended;
}

async function takeBackLostMessages(db: Database, queueing: Queueing, stuckMs: number): Promise<number> {
  let lost = await undispatchShards(db, await unclaimedShards(db, stuckMs, BATCH));
  const byQueue = new Map<string, DispatchedShard[]>();
  for (const shard of await unclaimedShards(db, YOUNG_MS, BATCH)) {
    byQueue.set(shard.queue, [...(byQueue.get(shard.queue) ?? []), shard]);
  }
  for (const [queue, shards] of byQueue) {
    const missing = new Set((await queueing.findMissing(queue, shards)).map((message) => message.shardId));
    if (missing.size === 0) continue;
    lost += await undispatchShards(
      db,
      shards.filter((shard) => missing.has(shard.shardId)),
    );
  }
  return lost;
}
