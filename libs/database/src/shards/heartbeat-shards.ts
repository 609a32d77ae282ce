import { type Queryable } from '../database.js';

export interface HeldLease {
  shardId: string;
  fence: string;
  claimToken: string;
}

export interface Heartbeat {
  shardId: string;
  /** The job was cancelled, or stopped by a halt: abort the samples and end the shard. */
  stop: 'cancelled' | 'halted' | null;
}

/**
 * Renews leases on the database's clock and reads back cancel and halt in the same statement. A lease that is missing from the
 * answer is lost.
 */
export function heartbeatShards(db: Queryable, leases: readonly HeldLease[], ttlMs: number): Promise<Heartbeat[]> {
  return db.query<Heartbeat>(
    `UPDATE shards s SET lease_until = now() + make_interval(secs => $4::float8 / 1000)
       FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) AS l (id, fence, token), jobs j, control c
      WHERE s.id = l.id AND s.fence = l.fence AND s.claim_token = l.token AND s.state = 'leased'
        AND j.id = s.job_id AND c.id = 1
      RETURNING s.id AS "shardId",
                CASE WHEN j.halt_epoch <> c.halt_epoch THEN 'halted'
                     WHEN j.cancel_requested_at IS NOT NULL THEN 'cancelled' END AS stop`,
    [leases.map((l) => l.shardId), leases.map((l) => l.fence), leases.map((l) => l.claimToken), ttlMs],
  );
}
