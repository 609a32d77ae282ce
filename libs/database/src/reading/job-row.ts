import {
  type Aggregation,
  type FrozenTarget,
  type GateRequest,
  type Generation,
  type JobKind,
  type JobSelection,
  type JobState,
  type Metrics,
  type ReplayRecordHeader,
  type ReplayVerdict,
  type Scorer,
  type StopReason,
  type SubmissionKind,
} from '@kiln/contracts';
import { type Judging } from '@kiln/running';

/** A job with its sums, as lists and views show it. Numerics of SQL are decimal strings. */
export interface JobRow {
  id: string;
  kind: JobKind;
  submissionKind: SubmissionKind;
  state: JobState;
  stopReason: StopReason | null;
  error: string | null;
  origin: { actor: string; source: string };
  labels: Record<string, string>;
  suiteName: string;
  suiteHash: string;
  schemaVersion: 1 | 2;
  /** Why its suite may gate although its scorers accept wrong answers. */
  scorerWaiver: string | null;
  aggregation: Aggregation;
  generationOverride: Generation | null;
  effectiveSeed: string;
  k: number;
  exampleCount: number;
  gate: GateRequest | null;
  concurrency: number | null;
  reuseTraces: boolean;
  sourceJobId: string | null;
  /** The part of the suite that is evaluated; null = all of it. */
  selection: JobSelection | null;
  /** Of a finished replay. */
  replayVerdict: ReplayVerdict | null;
  submittedAt: Date;
  /** Microseconds since 1970, which a Date cannot hold: the key of the list. */
  submittedAtMicros: string;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Names of its targets, the baseline first. */
  targets: string[];
  progress: ProgressRow;
}

/** Sums over shards. Counts are of samples. */
export interface ProgressRow {
  /** Samples with an outcome. */
  recorded: number;
  passed: number;
  scoreSum: number;
  /** Samples with a trace or an error, of runs whose scoring follows; 0 of the others. */
  generated: number;
}

export interface BudgetRow {
  costCap: string | null;
  costReserved: string;
  tokenCap: string | null;
  tokensReserved: string;
}

/** One target of a job with its sums. */
export interface RunRow {
  id: string;
  index: number;
  name: string;
  target: FrozenTarget;
  targetHash: string;
  effectiveGenerationHash: string;
  scorer: Scorer | null;
  judging: Judging | null;
  metrics: Metrics | null;
  /** Of its replay record; null until the job is completed, and for a rescore. */
  replay: Pick<ReplayRecordHeader, 'strict' | 'not_strict_because' | 'record_sha256'> | null;
  recorded: number;
  reservedCost: string;
  reservedTokens: string;
  usage: UsageRow;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** What the attempts of a run used, lost ones included. */
export interface UsageRow {
  /** Sum over the priced attempts. */
  knownCost: string;
  /** Whether some attempt had no known price. */
  unpriced: boolean;
  tokens: string;
  /** Charged against the caps, at their bound, for calls that nobody heard of again. */
  lostCost: string;
  lostTokens: string;
  /** Beyond the bound that was reserved for their samples, summed over what each transaction recorded. */
  excessCost: string;
}

/** Columns of a `JobRow` of the table alias `j`, but for `targets` and `progress`. */
export const JOB_COLUMNS = `j.id, j.kind::text, j.submission_kind AS "submissionKind", j.state::text, j.stop_reason AS "stopReason",
  j.error, j.origin, j.labels, j.suite_name AS "suiteName", j.suite_hash AS "suiteHash",
  (SELECT v.schema_version FROM suite_versions v WHERE v.id = j.suite_version_id) AS "schemaVersion",
  (SELECT v.header->>'scorer_waiver' FROM suite_versions v WHERE v.id = j.suite_version_id) AS "scorerWaiver", j.aggregation,
  j.generation_override AS "generationOverride", j.effective_seed::text AS "effectiveSeed", j.k,
  j.example_count AS "exampleCount", j.gate, j.concurrency, j.reuse_traces AS "reuseTraces",
  j.source_job_id AS "sourceJobId", j.selection, j.replay_verdict AS "replayVerdict", j.submitted_at AS "submittedAt",
  (extract(epoch FROM j.submitted_at) * 1000000)::bigint::text AS "submittedAtMicros",
  j.started_at AS "startedAt", j.finished_at AS "finishedAt",
  ARRAY(SELECT r.name FROM runs r WHERE r.job_id = j.id ORDER BY r.ordinal) AS targets`;

/** Whether the shard alias `s` of the run alias `r` records outcomes; what it generates is scored by another shard otherwise. */
export const RECORDS_OUTCOMES = `(s.phase = 'score' OR r.score_queue IS NULL)`;

/** `progress` of the job alias `j`: sums over its shards. */
export const JOB_PROGRESS = `(SELECT json_build_object(
    'recorded', coalesce(sum(s.recorded) FILTER (WHERE ${RECORDS_OUTCOMES}), 0), 'passed', coalesce(sum(s.passed), 0),
    'scoreSum', coalesce(sum(s.score_sum), 0), 'generated', coalesce(sum(s.recorded) FILTER (WHERE NOT ${RECORDS_OUTCOMES}), 0))
  FROM shards s JOIN runs r ON r.id = s.run_id WHERE s.job_id = j.id) AS progress`;
