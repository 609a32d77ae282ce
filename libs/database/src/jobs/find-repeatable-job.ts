import {
  type Aggregation,
  type FrozenTarget,
  type Generation,
  type JobKind,
  type JobSelection,
  type JobState,
  type ReplayExpectation,
  type ReplayRecordHeader,
  type Scorer,
  type SuiteHeader,
  type ThinkingDefaults,
} from '@kiln/contracts';
import { type Judging } from '@kiln/running';
import { type Queryable } from '../database.js';

/** A job with everything that running it again takes: its inputs, frozen, and no rows. */
export interface RepeatableJob {
  id: string;
  projectId: string;
  kind: JobKind;
  state: JobState;
  suiteVersionId: string;
  suiteName: string;
  suiteHash: string;
  suiteHeader: SuiteHeader;
  suiteExampleCount: number;
  aggregation: Aggregation;
  generationOverride: Generation | null;
  thinkingDefaults: ThinkingDefaults;
  effectiveSeed: bigint;
  k: number;
  /** Examples that are evaluated. */
  exampleCount: number;
  selection: JobSelection | null;
  /** US dollars as a decimal string. */
  costCap: string | null;
  tokenCap: string | null;
  concurrency: number | null;
  /** In order; the first is the baseline. */
  runs: RepeatableRun[];
}

export interface RepeatableRun {
  id: string;
  index: number;
  name: string;
  target: FrozenTarget;
  targetHash: string;
  queue: string;
  effectiveGenerationHash: string;
  /** Worst case of one sample: US dollars as a decimal string, and tokens. */
  costBound: string;
  tokenBound: string;
  /** The run whose traces are scored; null = its own. */
  sourceRunId: string | null;
  scorer: Scorer | null;
  judging: Judging | null;
  scoreQueue: string | null;
  /** Null until the job is completed, and for a rescore. */
  replayRecord: ReplayRecordHeader | null;
  expectation: ReplayExpectation | null;
}

/** The job of a project, or null. */
export async function findRepeatableJob(db: Queryable, projectId: string, jobId: string): Promise<RepeatableJob | null> {
  const [job] = await db.query<Omit<RepeatableJob, 'runs' | 'effectiveSeed'> & { effectiveSeed: string }>(
    `SELECT j.id, j.project_id AS "projectId", j.kind::text, j.state::text, j.suite_version_id AS "suiteVersionId",
            j.suite_name AS "suiteName", j.suite_hash AS "suiteHash", v.header AS "suiteHeader",
            v.example_count AS "suiteExampleCount", j.aggregation, j.generation_override AS "generationOverride", j.thinking_defaults AS "thinkingDefaults",
            j.effective_seed::text AS "effectiveSeed", j.k, j.example_count AS "exampleCount", j.selection,
            b.cost_cap::text AS "costCap", b.token_cap::text AS "tokenCap", j.concurrency
       FROM jobs j JOIN suite_versions v ON v.id = j.suite_version_id LEFT JOIN budgets b ON b.job_id = j.id
      WHERE j.id = $1 AND j.project_id = $2`,
    [jobId, projectId],
  );
  if (!job) return null;
  const runs = await db.query<RepeatableRun>(
    `SELECT r.id, r.ordinal AS index, r.name, t.definition AS target, t.definition_hash AS "targetHash", r.queue,
            r.effective_generation_hash AS "effectiveGenerationHash", r.sample_cost_bound::text AS "costBound",
            r.sample_token_bound::text AS "tokenBound", r.source_run_id AS "sourceRunId", r.scorer, r.judging,
            r.score_queue AS "scoreQueue", r.replay_record AS "replayRecord", r.expectation
       FROM runs r JOIN targets t ON t.id = r.target_id WHERE r.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
  return { ...job, effectiveSeed: BigInt(job.effectiveSeed), runs };
}
