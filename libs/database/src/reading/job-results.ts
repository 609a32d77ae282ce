import { type Comparison, type Generation, type SuiteHeader, type ThinkingDefaults } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** What the rows of a run's outcomes are read and shown with. */
export interface RunResults {
  runId: string;
  runIndex: number;
  runName: string;
  suiteVersionId: string;
  header: SuiteHeader;
  generationOverride: Generation | null;
  thinkingDefaults: ThinkingDefaults;
  effectiveSeed: bigint;
  k: number;
  /** The target costs nothing. */
  free: boolean;
}

/** The runs of a project's job by index; empty when there is no such job. */
export async function findRunResults(db: Queryable, projectId: string, jobId: string): Promise<RunResults[]> {
  const rows = await db.query<Omit<RunResults, 'effectiveSeed'> & { effectiveSeed: string }>(
    `SELECT r.id AS "runId", r.ordinal AS "runIndex", r.name AS "runName", j.suite_version_id AS "suiteVersionId", v.header,
            j.generation_override AS "generationOverride", j.thinking_defaults AS "thinkingDefaults", j.effective_seed::text AS "effectiveSeed", j.k,
            t.definition->'pricing'->>'kind' = 'free' AS free
       FROM jobs j JOIN runs r ON r.job_id = j.id JOIN suite_versions v ON v.id = j.suite_version_id
       JOIN targets t ON t.id = r.target_id
      WHERE j.id = $1 AND j.project_id = $2 ORDER BY r.ordinal`,
    [jobId, projectId],
  );
  return rows.map((row) => ({ ...row, effectiveSeed: BigInt(row.effectiveSeed) }));
}

/** A job's comparisons, by candidate. Empty until it has finished. */
export async function findComparisons(db: Queryable, jobId: string): Promise<Comparison[]> {
  const rows = await db.query<{ body: string }>(
    `SELECT c.body FROM comparisons c JOIN runs r ON r.id = c.candidate_run_id WHERE c.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
  return rows.map((row) => JSON.parse(row.body) as Comparison);
}
