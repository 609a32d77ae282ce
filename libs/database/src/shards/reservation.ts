import { formatNanoUsd } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/**
 * Gives back what a shard still holds, once: the shard's own columns say how much, and they become zero. The caller has
 * locked the shard.
 */
export async function releaseReservation(tx: Queryable, shardId: string): Promise<void> {
  await tx.query(
    `WITH held AS (SELECT job_id, cost_reserved, tokens_reserved FROM shards WHERE id = $1),
          freed AS (UPDATE budgets b SET cost_reserved = b.cost_reserved - held.cost_reserved,
                           tokens_reserved = b.tokens_reserved - held.tokens_reserved
                      FROM held WHERE b.job_id = held.job_id RETURNING 1)
     UPDATE shards SET cost_reserved = 0, tokens_reserved = 0 WHERE id = $1`,
    [shardId],
  );
}

/** Turns a part of a reservation into spend, which may be more or less than was reserved. */
export async function settle(
  tx: Queryable,
  jobId: string,
  reserved: { costNano: bigint; tokens: bigint },
  spent: { costNano: bigint; tokens: bigint },
): Promise<void> {
  await tx.query(
    `UPDATE budgets SET cost_reserved = cost_reserved - $2, tokens_reserved = tokens_reserved - $3,
                        cost_spent = cost_spent + $4, tokens_spent = tokens_spent + $5
      WHERE job_id = $1`,
    [jobId, formatNanoUsd(reserved.costNano), reserved.tokens, formatNanoUsd(spent.costNano), spent.tokens],
  );
}
