import { type Database } from '../database.js';
import { post } from '../outbox/post.js';
import { type Lease, lockLease, StaleLeaseError } from './lease.js';
import { releaseReservation } from './reservation.js';

/** How an attempt ends without recording its last sample. */
export type AttemptEnd =
  /** The worker stops or was preempted: the start is given back. */
  | { kind: 'released' }
  /** The engine died with this shard's samples in flight: counted as a crash, so the start is given back. */
  | { kind: 'crashed' }
  /** Samples failed in a way that may pass: try again after `delayMs`. */
  | { kind: 'retry'; delayMs: number }
  /** The job was stopped: what has no outcome is `not_run`. */
  | { kind: 'stopped'; reason: 'cancelled' | 'halted' };

/**
 * Gives a lease back. Proves the fence first.
 *
 * @throws StaleLeaseError when the lease is no longer held
 */
export function endAttempt(db: Database, lease: Lease, end: AttemptEnd): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await lockLease(tx, lease))) throw new StaleLeaseError(lease.shardId);
    await releaseReservation(tx, lease.shardId);
    const stopped = end.kind === 'stopped' ? end.reason : null;
    await tx.query(
      `UPDATE shards SET state = $2::shard_state, claim_token = NULL, lease_until = NULL, worker_id = NULL,
              end_reason = $3, done_at = CASE WHEN $3::text IS NULL THEN NULL ELSE now() END,
              starts = greatest(0, starts - $4), crashes = crashes + $5,
              not_before = now() + make_interval(secs => $6::float8 / 1000)
        WHERE id = $1`,
      [
        lease.shardId,
        stopped === null ? 'waiting' : 'done',
        stopped,
        end.kind === 'released' || end.kind === 'crashed' ? 1 : 0,
        end.kind === 'crashed' ? 1 : 0,
        end.kind === 'retry' ? end.delayMs : 0,
      ],
    );
    await post(tx, 'shard.ended', lease.jobId);
  });
}
