import { formatNanoUsd } from '@kiln/contracts';
import { type Database, type Queryable } from '../database.js';
import { post } from '../outbox/post.js';
import { releaseTraces } from '../traces/reserve-traces.js';
import { refundLost } from './charge-lost.js';
import { type CountedSamples, insertSamples } from './insert-samples.js';
import { insertScoredTraces } from './insert-scored-traces.js';
import { insertUsage, type UsagePurpose } from './insert-usage.js';
import { type Lease, lockLease, StaleLeaseError } from './lease.js';
import { openScoreShard } from './open-score-shard.js';
import { type AttemptUsage, type RecordedSample, type ScoredTrace } from './recorded-sample.js';
import { settle } from './reservation.js';

export interface OutcomeBatch<Sample = RecordedSample> {
  samples: readonly Sample[];
  usage: AttemptUsage;
  /** Number of this write within the attempt, from 0: a repeated write is recognised by it. */
  part: number;
  /** The shard's last missing sample is among these: the shard ends with this write. */
  final: boolean;
}

/**
 * Writes traces, scores and outcomes of a leased shard in one transaction, with the settlement of the budget and, when it is
 * the last write, the shard's end and its outbox row. Proves the fence first. Safe to repeat after a commit whose answer was
 * lost: the ledger row of (shard, fence, part) says that it happened.
 *
 * @throws StaleLeaseError when the lease is no longer held and this write had not happened; nothing is written
 */
export function recordOutcomes(db: Database, lease: Lease, batch: OutcomeBatch): Promise<void> {
  return record(db, lease, batch, 'sample', (tx) => insertSamples(tx, lease, batch.samples));
}

/** The same for a shard in phase `score`: writes scores of stored traces and the outcomes that they make. */
export function recordScores(db: Database, lease: Lease, batch: OutcomeBatch<ScoredTrace>): Promise<void> {
  return record(db, lease, batch, 'judge', (tx) => insertScoredTraces(tx, lease, batch.samples));
}

function record(
  db: Database,
  lease: Lease,
  batch: OutcomeBatch<unknown>,
  purpose: UsagePurpose,
  insert: (tx: Queryable) => Promise<CountedSamples>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const held = await lockLease(tx, lease);
    const fresh = held && (await insertUsage(tx, lease, batch.part, purpose, batch.usage));
    if (!fresh) {
      if (!held && !(await wasRecorded(tx, lease, batch.part))) throw new StaleLeaseError(lease.shardId);
      return;
    }
    const counted = await insert(tx);
    await advanceShard(tx, lease, batch, counted);
    if (!batch.final) return;
    if (lease.reuseTraces && lease.phase === 'generate') await releaseTraces(tx, lease.shardId);
    if (lease.scoredLater) await openScoreShard(tx, lease.shardId);
    await post(tx, 'shard.ended', lease.jobId);
  });
}

/**
 * Charges what a lost attempt had consumed: the tokens were spent although nothing of it counts. Goes to the ledger as
 * `wasted`, in place of the bound that was charged when the attempt was lost.
 */
export function recordWaste(db: Database, lease: Lease, part: number, usage: AttemptUsage): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await insertUsage(tx, lease, part, 'wasted', usage))) return;
    await settle(tx, lease.jobId, { costNano: 0n, tokens: 0n }, spendOf(usage));
    await refundLost(tx, lease, part, usage.samples);
  });
}

async function wasRecorded(tx: Queryable, lease: Lease, part: number): Promise<boolean> {
  const rows = await tx.query(`SELECT 1 FROM usage_ledger WHERE shard_id = $1 AND fence = $2 AND part = $3 AND purpose <> 'wasted'`, [
    lease.shardId,
    lease.fence,
    part,
  ]);
  return rows.length > 0;
}

function spendOf(usage: AttemptUsage): { costNano: bigint; tokens: bigint } {
  // Cached tokens are a part of the prompt's.
  return { costNano: usage.costNano ?? 0n, tokens: BigInt(usage.promptTokens + usage.completionTokens) };
}

/**
 * Counts what was written, turns its reservation into spend and, with the last sample, ends the shard and gives back whatever it
 * still holds. One statement; the caller has locked the shard, and the budget comes after it.
 */
async function advanceShard(tx: Queryable, lease: Lease, batch: OutcomeBatch<unknown>, counted: CountedSamples): Promise<void> {
  const spent = spendOf(batch.usage);
  // One recorded sample proves that the shard is not what stops its workers: the fruitless starts begin again.
  await tx.query(
    `WITH freed AS (
       SELECT job_id, CASE WHEN $5 THEN cost_reserved ELSE $6::numeric END AS cost,
              CASE WHEN $5 THEN tokens_reserved ELSE $7::bigint END AS tokens
         FROM shards WHERE id = $1),
     settled AS (
       UPDATE budgets b SET cost_reserved = b.cost_reserved - freed.cost, tokens_reserved = b.tokens_reserved - freed.tokens,
              cost_spent = b.cost_spent + $8::numeric, tokens_spent = b.tokens_spent + $9::bigint
         FROM freed WHERE b.job_id = freed.job_id)
     UPDATE shards s SET recorded = s.recorded + $2, passed = s.passed + $3, score_sum = s.score_sum + $4,
            starts = CASE WHEN $2 > 0 THEN 0 ELSE s.starts END,
            cost_reserved = s.cost_reserved - freed.cost, tokens_reserved = s.tokens_reserved - freed.tokens,
            state = CASE WHEN $5 THEN 'done' ELSE s.state END, end_reason = CASE WHEN $5 THEN 'completed' ELSE s.end_reason END,
            done_at = CASE WHEN $5 THEN now() ELSE s.done_at END, claim_token = CASE WHEN $5 THEN NULL ELSE s.claim_token END,
            lease_until = CASE WHEN $5 THEN NULL ELSE s.lease_until END
       FROM freed WHERE s.id = $1`,
    [
      lease.shardId,
      counted.recorded,
      counted.passed,
      counted.scoreSum,
      batch.final,
      formatNanoUsd(lease.costBoundNano * BigInt(counted.recorded)),
      lease.tokenBound * BigInt(counted.recorded),
      formatNanoUsd(spent.costNano),
      spent.tokens,
    ],
  );
}
