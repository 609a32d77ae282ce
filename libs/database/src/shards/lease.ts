import { type FrozenTarget, type Generation, type Scorer, type ThinkingDefaults } from '@kiln/contracts';
import { type Judging } from '@kiln/running';
import { type Queryable } from '../database.js';

export type ShardPhase = 'generate' | 'score';

/** One worker's ownership of a shard: every write under it proves `fence` and `claimToken`. */
export interface Lease {
  shardId: string;
  fence: string;
  claimToken: string;
  projectId: string;
  jobId: string;
  runId: string;
  phase: ShardPhase;
  firstOrdinal: number;
  /** Examples. */
  count: number;
  /** Completions per example. */
  k: number;
  /** Worst case of generating one sample, or of judging one, reserved for each that is missing; 0 when nothing is spent. */
  costBoundNano: bigint;
  tokenBound: bigint;
  /** Fruitless starts, this one included. */
  starts: number;
  crashes: number;
  suiteVersionId: string;
  /** Only a pinned part of the suite is evaluated. */
  selected: boolean;
  effectiveSeed: bigint;
  generationOverride: Generation | null;
  /** The server's limits on reasoning when the job was admitted. */
  thinkingDefaults: ThinkingDefaults;
  target: FrozenTarget;
  /** Samples are scored in a shard of phase `score` that follows when this one ends; this one stores traces only. */
  scoredLater: boolean;
  /** The run whose traces are scored: its own, or the one that a rescore points at. */
  sourceRunId: string;
  /** Takes the place of the suite's and its examples' scorers. */
  scorer: Scorer | null;
  /** Null when no judge is asked. */
  judging: Judging | null;
  /** Traces of other jobs may stand for samples of this one. */
  reuseTraces: boolean;
  /** The run that a replay repeats; null for other jobs. */
  replayOf: string | null;
  /** From the job's admission to this claim. */
  waitedMs: number;
}

/** The lease was lost: expired and taken over, or revoked. Nothing was written. */
export class StaleLeaseError extends Error {
  constructor(readonly shardId: string) {
    super(`the lease on shard ${shardId} is no longer held: nothing was written`);
    this.name = 'StaleLeaseError';
  }
}

/**
 * Locks the leased shard and proves that the lease is still held: what every write under it does first.
 *
 * @returns false when it is not held any more
 */
export async function lockLease(tx: Queryable, lease: Lease): Promise<boolean> {
  const rows = await tx.query(`SELECT 1 FROM shards WHERE id = $1 AND fence = $2 AND claim_token = $3 AND state = 'leased' FOR UPDATE`, [
    lease.shardId,
    lease.fence,
    lease.claimToken,
  ]);
  return rows.length > 0;
}
