import { type JobState } from '@kiln/contracts';
import { isTerminal } from '@kiln/running';
import { type Actor } from '../audit/actor.js';
import { recordAudit } from '../audit/record-audit.js';
import { type Database, type Queryable } from '../database.js';
import { post } from '../outbox/post.js';
import { UNFINISHED_STATES } from './unfinished-states.js';

export type CancelResult = { found: false } | { found: true; was: 'queued' | 'running' | 'terminal'; state: JobState };

/**
 * Asks for a job's end. A queued job ends here; a running one becomes `cancelling` until its leases are gone; a terminal one is
 * left as it is, so that a retried cancel destroys nothing. Safe to repeat: the first committed call wins, and it alone is audited.
 */
export function cancelJob(db: Database, projectId: string, jobId: string, actor: Actor): Promise<CancelResult> {
  return db.transaction(async (tx): Promise<CancelResult> => {
    const [job] = await tx.query<{ state: JobState }>(`SELECT state::text FROM jobs WHERE id = $1 AND project_id = $2 FOR UPDATE`, [
      jobId,
      projectId,
    ]);
    if (!job) return { found: false };
    if (isTerminal(job.state)) return { found: true, was: 'terminal', state: job.state };
    const was = job.state === 'queued' ? 'queued' : 'running';
    const [after] = await tx.query<{ state: JobState }>(
      `UPDATE jobs SET state = $2::job_state, cancel_requested_at = coalesce(cancel_requested_at, now()),
                       finished_at = CASE WHEN $2 = 'cancelled' THEN now() END,
                       stop_reason = coalesce(stop_reason, 'cancelled')
        WHERE id = $1 RETURNING state::text`,
      [jobId, was === 'queued' ? 'cancelled' : 'cancelling'],
    );
    await endStoppedShards(tx, jobId);
    if (job.state !== 'cancelling') {
      await post(tx, was === 'queued' ? 'job.finished' : 'job.stopped', jobId);
      await recordAudit(tx, { projectId, ...actor, action: 'job.cancel', subject: jobId });
    }
    return { found: true, was, state: after!.state };
  });
}

/**
 * Ends the shards of a stopped job that nobody works on. Shards that somebody holds at this moment are skipped, not waited for
 * (that would be the reverse of a claim's lock order): a claim will see the stop itself, and the next call finds the others.
 */
export async function endStoppedShards(db: Queryable, jobId: string): Promise<number> {
  const ended = await db.query<{ id: string }>(
    `WITH idle AS MATERIALIZED (
       SELECT s.id, j.stop_reason FROM shards s JOIN jobs j ON j.id = s.job_id
        WHERE s.job_id = $1 AND s.state IN ('waiting', 'dispatched') AND j.stop_reason IS NOT NULL
          FOR UPDATE OF s SKIP LOCKED)
     UPDATE shards s SET state = 'done', done_at = now(),
            end_reason = CASE WHEN idle.stop_reason IN ('cost_cap', 'token_cap') THEN 'capped' ELSE idle.stop_reason END
       FROM idle WHERE s.id = idle.id
      RETURNING s.id`,
    [jobId],
  );
  return ended.length;
}

/** Marks jobs that a halt overtook: admitted under an older epoch and not finished. Their claims are refused already. */
export async function stopHaltedJobs(db: Database): Promise<string[]> {
  return db.transaction(async (tx) => {
    const jobs = await tx.query<{ id: string }>(
      `UPDATE jobs SET state = 'cancelling', stop_reason = 'halted'
         FROM control c
        WHERE jobs.state IN ${UNFINISHED_STATES} AND jobs.halt_epoch <> c.halt_epoch
          AND jobs.stop_reason IS DISTINCT FROM 'halted'
        RETURNING jobs.id`,
    );
    for (const job of jobs) await post(tx, 'job.stopped', job.id);
    return jobs.map((job) => job.id);
  });
}
