import { type Queryable } from '../database.js';

export interface DispatchedShard {
  shardId: string;
  queue: string;
  dispatch: number;
}

/**
 * Marks the next `limit` waiting shards of a job as dispatched, in the order (example block, arm), so that arms advance side by
 * side, and answers them in that order. The caller publishes a message for each; one that is lost between here and there is found by the reconciler.
 */
export function dispatchShards(db: Queryable, jobId: string, queue: string, limit: number): Promise<DispatchedShard[]> {
  return db.query<DispatchedShard>(
    `WITH next AS MATERIALIZED (
       SELECT s.id, s.block, r.ordinal, s.first_ordinal FROM shards s JOIN runs r ON r.id = s.run_id
        WHERE s.job_id = $1 AND s.queue = $2 AND s.state = 'waiting' AND (s.not_before IS NULL OR s.not_before <= now())
        ORDER BY s.block, r.ordinal, s.first_ordinal LIMIT $3 FOR UPDATE OF s SKIP LOCKED),
     marked AS (
       UPDATE shards s SET state = 'dispatched', dispatch = s.dispatch + 1, dispatched_at = now(), not_before = NULL
         FROM next WHERE s.id = next.id
       RETURNING s.id, s.queue, s.dispatch, next.block, next.ordinal, next.first_ordinal)
     SELECT id AS "shardId", queue, dispatch FROM marked ORDER BY block, ordinal, first_ordinal`,
    [jobId, queue, limit],
  );
}

/** Shards dispatched more than `olderThanMs` ago and not claimed since. */
export function unclaimedShards(db: Queryable, olderThanMs: number, limit: number): Promise<DispatchedShard[]> {
  return db.query<DispatchedShard>(
    `SELECT id AS "shardId", queue, dispatch FROM shards
      WHERE state = 'dispatched' AND dispatched_at < now() - make_interval(secs => $1::float8 / 1000)
      ORDER BY dispatched_at LIMIT $2`,
    [olderThanMs, limit],
  );
}

/**
 * Puts shards whose message no longer exists back to waiting. One that was claimed or dispatched again meanwhile is left alone,
 * and so is one that somebody holds at this moment: waiting for it while holding others could deadlock with a heartbeat.
 *
 * @returns how many were put back
 */
export async function undispatchShards(db: Queryable, lost: readonly DispatchedShard[]): Promise<number> {
  const rows = await db.query(
    `WITH idle AS MATERIALIZED (
       SELECT s.id FROM shards s JOIN unnest($1::uuid[], $2::int[]) AS l (id, dispatch) ON s.id = l.id AND s.dispatch = l.dispatch
        WHERE s.state = 'dispatched' FOR UPDATE OF s SKIP LOCKED)
     UPDATE shards s SET state = 'waiting' FROM idle WHERE s.id = idle.id RETURNING s.id`,
    [lost.map((shard) => shard.shardId), lost.map((shard) => shard.dispatch)],
  );
  return rows.length;
}
