import { type Queryable } from '../database.js';

/** Unfinished shards by state and queue, with the age of the oldest one that waits or is dispatched. */
export function shardCounts(db: Queryable): Promise<{ state: string; queue: string; count: number; oldestSeconds: number }[]> {
  return db.query(
    `SELECT s.state::text, s.queue, count(*)::int AS count,
            extract(epoch FROM now() - min(j.submitted_at))::float8 AS "oldestSeconds"
       FROM shards s JOIN jobs j ON j.id = s.job_id WHERE s.state IN ('waiting', 'dispatched', 'leased')
      GROUP BY s.state, s.queue`,
  );
}
