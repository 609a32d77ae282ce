import {
  type Aggregation,
  type FrozenTarget,
  type GateRequest,
  type JobKind,
  type JobState,
  type Scorer,
  type StopReason,
} from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** A job as the finalizer needs it: inputs and runs, no rows. */
export interface FinishingJob {
  id: string;
  projectId: string;
  kind: JobKind;
  state: JobState;
  stopReason: StopReason | null;
  suiteVersionId: string;
  suiteName: string;
  suiteHash: string;
  aggregation: Aggregation;
  k: number;
  /** Examples that are evaluated. */
  exampleCount: number;
  /** Examples of the suite: the ordinals of those that are evaluated are below. */
  suiteExampleCount: number;
  gate: GateRequest | null;
  runs: FinishingRun[];
}

export interface FinishingRun {
  id: string;
  ordinal: number;
  name: string;
  target: FrozenTarget;
  targetHash: string;
  effectiveGenerationHash: string;
  /** What a rescore put in the place of the suite's scorers; null in other jobs. */
  scorer: Scorer | null;
}

export async function readFinishingJob(db: Queryable, jobId: string): Promise<FinishingJob | null> {
  const [job] = await db.query<Omit<FinishingJob, 'runs'>>(
    `SELECT id, project_id AS "projectId", kind::text, state::text, stop_reason AS "stopReason", suite_version_id AS "suiteVersionId",
            suite_name AS "suiteName", suite_hash AS "suiteHash", aggregation, k, example_count AS "exampleCount", gate,
            (SELECT v.example_count FROM suite_versions v WHERE v.id = suite_version_id) AS "suiteExampleCount"
       FROM jobs WHERE id = $1`,
    [jobId],
  );
  if (!job) return null;
  const runs = await db.query<FinishingRun>(
    `SELECT r.id, r.ordinal, r.name, t.definition AS target, t.definition_hash AS "targetHash",
            r.effective_generation_hash AS "effectiveGenerationHash", r.scorer
       FROM runs r JOIN targets t ON t.id = r.target_id WHERE r.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
  return { ...job, runs };
}
