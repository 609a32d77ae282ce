import { type Queryable } from '../database.js';
import { UNFINISHED_STATES } from './unfinished-states.js';

/**
 * Unfinished jobs none of whose shards is unfinished: they wait only for their last page to be written. Claims and heartbeats end
 * the shards of a halted job, perhaps all of them, before `stopHaltedJobs` has marked it: until then it is not to be finished, or
 * it would pass as completed.
 */
export async function finishableJobs(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT j.id FROM jobs j
      WHERE j.state IN ${UNFINISHED_STATES}
        AND (j.stop_reason IS NOT NULL OR j.halt_epoch = (SELECT halt_epoch FROM control WHERE id = 1))
        AND NOT EXISTS (SELECT 1 FROM shards s WHERE s.job_id = j.id AND s.state IN ('waiting', 'dispatched', 'leased'))
      ORDER BY j.submitted_at LIMIT $1`,
    [limit],
  );
  return rows.map((row) => row.id);
}

/**
 * Stopped jobs that still have shards which nobody works on. Of the finished ones only those are looked for that have a shard
 * dispatched: a cancel ends all that wait, but not what is being dispatched at that moment. So the jobs of the past cost
 * nothing.
 */
export async function stoppedJobs(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT j.id FROM jobs j
      WHERE j.state IN ${UNFINISHED_STATES} AND j.stop_reason IS NOT NULL
        AND EXISTS (SELECT 1 FROM shards s WHERE s.job_id = j.id AND s.state IN ('waiting', 'dispatched'))
     UNION
     SELECT j.id FROM shards s JOIN jobs j ON j.id = s.job_id WHERE s.state = 'dispatched' AND j.stop_reason IS NOT NULL
      LIMIT $1`,
    [limit],
  );
  return rows.map((row) => row.id);
}
