import { KilnError } from '@kiln/contracts';
import { type Actor } from '../audit/actor.js';
import { recordAudit } from '../audit/record-audit.js';
import { type Database, type Queryable } from '../database.js';
import { UNFINISHED_STATES } from '../jobs/unfinished-states.js';

/** Rows removed by one statement: short transactions, so that nobody waits for a purge. */
const BATCH = 5_000;

/** Bulk tables by the columns that name a row of a run; `scores` go with their traces. */
const RUN_TABLES = ['reduced_outcomes', 'outcomes', 'trace_loans', 'traces'] as const;

/**
 * Removes a finished job with its rows. The job itself goes last: a purge that was interrupted is repeated.
 *
 * @returns false when the project has no such job
 * @throws KilnError `eval_job_in_use` when it is unfinished, or a verdict refers to it
 */
export async function purgeJob(db: Database, projectId: string, jobId: string, actor: Actor): Promise<boolean> {
  if (!(await checkPurgeable(db, projectId, jobId))) return false;
  const runs = await db.query<{ id: string }>(`SELECT id FROM runs WHERE job_id = $1`, [jobId]);
  for (const { id } of runs) {
    await removeScores(db, id);
    for (const table of RUN_TABLES) await removeInBatches(db, table, 'run_id', id);
  }
  await removeInBatches(db, 'usage_ledger', 'job_id', jobId);
  await db.transaction(async (tx) => {
    await tx.query(`SELECT id FROM jobs WHERE id = $1 FOR UPDATE`, [jobId]);
    await checkPurgeable(tx, projectId, jobId);
    await tx.query(`DELETE FROM jobs WHERE id = $1`, [jobId]);
    await recordAudit(tx, { projectId, ...actor, action: 'job.purge', subject: jobId });
  });
  return true;
}

async function checkPurgeable(db: Queryable, projectId: string, jobId: string): Promise<boolean> {
  const [job] = await db.query<{ unfinished: boolean; verdicts: boolean; lent: boolean; replayed: boolean }>(
    `SELECT state IN ${UNFINISHED_STATES} AS unfinished,
            EXISTS (SELECT 1 FROM verdicts v WHERE v.job_id = j.id) AS verdicts,
            EXISTS (SELECT 1 FROM runs r JOIN trace_loans l ON l.source_run_id = r.id JOIN runs b ON b.id = l.run_id
                     WHERE r.job_id = j.id AND b.job_id <> j.id)
            OR EXISTS (SELECT 1 FROM runs r JOIN runs b ON b.source_run_id = r.id WHERE r.job_id = j.id) AS lent,
            EXISTS (SELECT 1 FROM jobs p WHERE p.source_job_id = j.id AND p.kind = 'replay' AND p.state IN ${UNFINISHED_STATES}) AS replayed
       FROM jobs j WHERE j.id = $1 AND j.project_id = $2`,
    [jobId, projectId],
  );
  if (job?.unfinished) {
    throw new KilnError('eval_job_in_use', 'the job has not finished', {
      hint: 'Cancel it first (DELETE without purge), and purge it when it has ended.',
    });
  }
  if (job?.verdicts) {
    throw new KilnError('eval_job_in_use', 'a verdict refers to this job: its rows are the evidence', {
      hint: 'Jobs with verdicts are kept.',
    });
  }
  if (job?.lent) {
    throw new KilnError('eval_job_in_use', 'other jobs score or reuse the traces of this one', {
      hint: 'Purge the jobs that use them first: its rescores, and jobs that ran the same samples.',
    });
  }
  if (job?.replayed) {
    throw new KilnError('eval_job_in_use', 'a replay of this job has not finished: it is compared with its texts', {
      hint: 'Wait for the replay to end, or cancel it.',
    });
  }
  return job !== undefined;
}

async function removeScores(db: Queryable, runId: string): Promise<void> {
  for (;;) {
    const removed = await db.query(
      `DELETE FROM scores WHERE (trace_id, scorer_id) IN (
         SELECT s.trace_id, s.scorer_id FROM traces t JOIN scores s ON s.trace_id = t.id WHERE t.run_id = $1 LIMIT ${BATCH}) RETURNING 1`,
      [runId],
    );
    if (removed.length < BATCH) return;
  }
}

async function removeInBatches(db: Queryable, table: string, column: string, id: string): Promise<void> {
  for (;;) {
    const removed = await db.query(
      `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT ${BATCH}) RETURNING 1`,
      [id],
    );
    if (removed.length < BATCH) return;
  }
}
