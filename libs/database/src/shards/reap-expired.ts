import { type Database } from '../database.js';
import { post } from '../outbox/post.js';
import { chargeLost } from './charge-lost.js';
import { releaseReservation } from './reservation.js';

/**
 * Puts shards whose lease has expired (on the database's clock) back to waiting and returns what they had reserved, less what
 * endpoints may still bill. Their
 * worker may still live: its writes are refused from here on, because the claim token is gone.
 *
 * @param limit shards per call
 * @returns how many were put back
 */
export function reapExpired(db: Database, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const expired = await tx.query<{ id: string; jobId: string }>(
      `SELECT id, job_id AS "jobId" FROM shards WHERE state = 'leased' AND lease_until < now()
        ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit],
    );
    // One budget after the other in a fixed order: two reapers can never wait for each other.
    for (const shard of expired.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1))) {
      await chargeLost(tx, shard.id, null);
      await releaseReservation(tx, shard.id);
      await tx.query(`UPDATE shards SET state = 'waiting', claim_token = NULL, lease_until = NULL, worker_id = NULL WHERE id = $1`, [
        shard.id,
      ]);
      await post(tx, 'shard.ended', shard.jobId);
    }
    return expired.length;
  });
}
