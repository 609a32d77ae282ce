import { type JobState, type StopReason } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { JOB_PROGRESS, type ProgressRow } from './job-row.js';

/** Where a job is now. */
export interface JobSnapshot {
  id: string;
  state: JobState;
  stopReason: StopReason | null;
  k: number;
  exampleCount: number;
  runCount: number;
  progress: ProgressRow;
}

/** Where these jobs are, in one statement for all who watch; jobs that are gone are absent. */
export function readJobSnapshots(db: Queryable, jobIds: readonly string[]): Promise<JobSnapshot[]> {
  return db.query<JobSnapshot>(
    `SELECT j.id, j.state::text, j.stop_reason AS "stopReason", j.k, j.example_count AS "exampleCount",
            (SELECT count(*)::int FROM runs r WHERE r.job_id = j.id) AS "runCount", ${JOB_PROGRESS}
       FROM jobs j WHERE j.id = ANY ($1::uuid[])`,
    [jobIds],
  );
}

/** State of one job of a project, or null. */
export async function findJobState(db: Queryable, projectId: string, jobId: string): Promise<JobState | null> {
  const [job] = await db.query<{ state: JobState }>(`SELECT state::text FROM jobs WHERE id = $1 AND project_id = $2`, [jobId, projectId]);
  return job?.state ?? null;
}
