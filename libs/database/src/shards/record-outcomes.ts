import { formatNanoUsd } from '@kiln/contracts';
import { type Database, type Queryable } from '../database.js';
import { post } from '../outbox/post.js';
import { insertOutcomes, insertScores } from './insert-outcomes.js';
import { insertTraces } from './insert-traces.js';
import { insertUsage } from './insert-usage.js';
import { type Lease, lockLease, StaleLeaseError } from './lease.js';
import { type AttemptUsage, type RecordedSample } from './recorded-sample.js';
import { releaseReservation, settle } from './reservation.js';

export interface OutcomeBatch {
  samples: readonly RecordedSample[];
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
  return db.transaction(async (tx) => {
    const held = await lockLease(tx, lease);
    const fresh = held && (await insertUsage(tx, lease, batch.part, 'sample', batch.usage));
    if (!fresh) {
      if (!held && !(await wasRecorded(tx, lease, batch.part))) throw new StaleLeaseError(lease.shardId);
      return;
    }
    const traceIds = await insertTraces(tx, lease, batch.samples);
    await insertScores(tx, lease, batch.samples, traceIds);
    const counted = await insertOutcomes(tx, lease, batch.samples);
    await settle(tx, lease.jobId, reservedFor(lease, counted.recorded), spendOf(batch.usage));
    await advanceShard(tx, lease, batch, counted);
    if (batch.final) await post(tx, 'shard.ended', lease.jobId);
  });
}

/**
 * Charges what a lost attempt had consumed: the tokens were spent although nothing of it counts. Goes to the ledger as
 * `wasted`.
 */
export function recordWaste(db: Database, lease: Lease, part: number, usage: AttemptUsage): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await insertUsage(tx, lease, part, 'wasted', usage))) return;
    await settle(tx, lease.jobId, { costNano: 0n, tokens: 0n }, spendOf(usage));
  });
}

async function wasRecorded(tx: Queryable, lease: Lease, part: number): Promise<boolean> {
  const rows = await tx.query(`SELECT 1 FROM usage_ledger WHERE shard_id = $1 AND fence = $2 AND part = $3 AND purpose = 'sample'`, [
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

/** What the lease had reserved for so many samples. */
function reservedFor(lease: Lease, recorded: number): { costNano: bigint; tokens: bigint } {
  return { costNano: lease.costBoundNano * BigInt(recorded), tokens: lease.tokenBound * BigInt(recorded) };
}

async function advanceShard(
  tx: Queryable,
  lease: Lease,
  batch: OutcomeBatch,
  counted: { recorded: number; passed: number; scoreSum: number },
): Promise<void> {
  const reserved = reservedFor(lease, counted.recorded);
  // One recorded sample proves that the shard is not what stops its workers: the fruitless starts begin again.
  await tx.query(
    `UPDATE shards SET recorded = recorded + $2, passed = passed + $3, score_sum = score_sum + $4,
            starts = CASE WHEN $2 > 0 THEN 0 ELSE starts END,
            cost_reserved = cost_reserved - $5, tokens_reserved = tokens_reserved - $6
      WHERE id = $1`,
    [lease.shardId, counted.recorded, counted.passed, counted.scoreSum, formatNanoUsd(reserved.costNano), reserved.tokens],
  );
  if (!batch.final) return;
  await releaseReservation(tx, lease.shardId);
  await tx.query(
    `UPDATE shards SET state = 'done', end_reason = 'completed', done_at = now(), claim_token = NULL, lease_until = NULL
      WHERE id = $1`,
    [lease.shardId],
  );
}
