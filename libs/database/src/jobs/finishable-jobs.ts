import { type Queryable } from '../database.js';

/** Unfinished jobs none of whose shards is unfinished: they wait only for their last page to be written. */
export async function finishableJobs(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT j.id FROM jobs j
      WHERE j.state IN ('queued', 'running', 'cancelling')
        AND NOT EXISTS (SELECT 1 FROM shards s WHERE s.job_id = j.id AND s.state <> 'done')
      ORDER BY j.submitted_at LIMIT $1`,
    [limit],
  );
  return rows.map((row) => row.id);
}

/** Unfinished jobs that were stopped and still have shards which nobody works on. */
export async function stoppedJobs(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT j.id FROM jobs j
      WHERE j.stop_reason IS NOT NULL
        AND EXISTS (SELECT 1 FROM shards s WHERE s.job_id = j.id AND s.state IN ('waiting', 'dispatched'))
      ORDER BY j.submitted_at LIMIT $1`,
    [limit],
  );
  return rows.map((row) => row.id);
}
