import {
  type Aggregation,
  type FrozenTarget,
  type Generation,
  type JobSelection,
  type JobState,
  type ThinkingDefaults,
} from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** A job whose traces may be scored again. */
export interface RescoreSource {
  id: string;
  state: JobState;
  suiteVersionId: string;
  suiteName: string;
  suiteHash: string;
  aggregation: Aggregation;
  generationOverride: Generation | null;
  thinkingDefaults: ThinkingDefaults;
  effectiveSeed: bigint;
  k: number;
  exampleCount: number;
  /** The part of the suite that was evaluated; null = all of it. */
  selection: JobSelection | null;
  runs: RescoreSourceRun[];
}

export interface RescoreSourceRun {
  /** The run that generated: of a rescore that is scored again, the one that it points at. */
  tracesOf: string;
  name: string;
  target: FrozenTarget;
  targetHash: string;
  queue: string;
  effectiveGenerationHash: string;
}

/** The job of a project with its runs in order, or null. */
export async function findRescoreSource(db: Queryable, projectId: string, jobId: string): Promise<RescoreSource | null> {
  const [job] = await db.query<Omit<RescoreSource, 'runs' | 'effectiveSeed'> & { effectiveSeed: string }>(
    `SELECT id, state::text, suite_version_id AS "suiteVersionId", suite_name AS "suiteName", suite_hash AS "suiteHash", aggregation,
            generation_override AS "generationOverride", thinking_defaults AS "thinkingDefaults", effective_seed::text AS "effectiveSeed", k, example_count AS "exampleCount", selection
       FROM jobs WHERE id = $1 AND project_id = $2`,
    [jobId, projectId],
  );
  if (!job) return null;
  const runs = await db.query<RescoreSourceRun>(
    `SELECT coalesce(r.source_run_id, r.id) AS "tracesOf", r.name, t.definition AS target, t.definition_hash AS "targetHash", r.queue,
            r.effective_generation_hash AS "effectiveGenerationHash"
       FROM runs r JOIN targets t ON t.id = r.target_id WHERE r.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
  return { ...job, effectiveSeed: BigInt(job.effectiveSeed), runs };
}
