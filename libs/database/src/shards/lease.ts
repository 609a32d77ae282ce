import { type FrozenTarget, type Generation } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** One worker's ownership of a shard: every write under it proves `fence` and `claimToken`. */
export interface Lease {
  shardId: string;
  fence: string;
  claimToken: string;
  projectId: string;
  jobId: string;
  runId: string;
  firstOrdinal: number;
  /** Examples. */
  count: number;
  /** Completions per example. */
  k: number;
  /** Worst case of one sample, reserved for each that is missing; 0 when nothing is generated. */
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
  target: FrozenTarget;
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
