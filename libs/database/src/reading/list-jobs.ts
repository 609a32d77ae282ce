import { type JobKind, type JobState } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { JOB_COLUMNS, JOB_PROGRESS, type JobRow } from './job-row.js';

export interface JobFilter {
  projectId: string;
  states: readonly JobState[] | null;
  kinds: readonly JobKind[] | null;
  suiteName: string | null;
  /** All of them must be there. */
  labels: Record<string, string>;
  /** The last job of the page before. */
  after: { submittedAtMicros: string; id: string } | null;
  limit: number;
}

/** A page of a project's jobs, newest first. */
export function listJobs(db: Queryable, filter: JobFilter): Promise<JobRow[]> {
  return db.query<JobRow>(
    `SELECT ${JOB_COLUMNS}, ${JOB_PROGRESS} FROM (
       SELECT * FROM jobs
        WHERE project_id = $1
          AND ($2::text[] IS NULL OR state::text = ANY ($2))
          AND ($3::text[] IS NULL OR kind::text = ANY ($3))
          AND ($4::text IS NULL OR suite_name = $4)
          AND labels @> $5::jsonb
          AND ($6::bigint IS NULL OR (submitted_at, id) < (timestamptz 'epoch' + $6 * interval '1 microsecond', $7::uuid))
        ORDER BY submitted_at DESC, id DESC LIMIT $8) j
     ORDER BY j.submitted_at DESC, j.id DESC`,
    [
      filter.projectId,
      filter.states,
      filter.kinds,
      filter.suiteName,
      JSON.stringify(filter.labels),
      filter.after?.submittedAtMicros ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
}
