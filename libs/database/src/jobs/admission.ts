import {
  type Aggregation,
  type FrozenTarget,
  type GateRequest,
  type Generation,
  type JobKind,
  type JobSelection,
  type ReplayExpectation,
  type Scorer,
  type SubmissionKind,
  type ThinkingDefaults,
} from '@kiln/contracts';
import { type Judging, type ShardRange } from '@kiln/running';

/** A job as decided: everything frozen, nothing left to look up. */
export interface Admission {
  projectId: string;
  kind: JobKind;
  submissionKind: SubmissionKind;
  origin: { actor: string; source: string } & Record<string, unknown>;
  labels: Record<string, string>;
  /** `exampleCount`: of the examples that are evaluated. */
  suite: { versionId: string; name: string; hash: string; exampleCount: number };
  /** The part of the suite that is evaluated, with its ordinals in order; absent = all of it. */
  selected?: { rule: JobSelection; ordinals: readonly number[] };
  aggregation: Aggregation;
  /** The run-level generation, or null. */
  generationOverride: Generation | null;
  /** The server's limits on reasoning now; absent = none. */
  thinkingDefaults?: ThinkingDefaults;
  effectiveSeed: bigint;
  /** Completions per example. */
  k: number;
  /** In order; the first is the baseline. */
  runs: AdmittedRun[];
  gate: GateRequest | null;
  /** Thresholds in force now, so that a later change of the configuration does not change this job. */
  thresholds: Record<string, unknown>;
  /** Nano-USD; null for no cap. */
  costCapNano: bigint | null;
  tokenCap: bigint | null;
  concurrency: number | null;
  /** Traces of other jobs may stand for samples of this one. */
  reuseTraces: boolean;
  /** The job whose traces are scored, or that is repeated; null when there is none. */
  sourceJobId: string | null;
}

export interface AdmittedRun {
  name: string;
  target: FrozenTarget;
  targetHash: string;
  /** Queue of the pool and model identity that can serve it. */
  queue: string;
  effectiveGenerationHash: string;
  costBoundNano: bigint;
  tokenBound: bigint;
  /** The run whose traces are scored; its shards begin in phase `score`. Null for a run that generates. */
  sourceRunId: string | null;
  /** Takes the place of the suite's and its examples' scorers. */
  scorer: Scorer | null;
  judging: Judging | null;
  /** What a replay has to reproduce; absent for other jobs. */
  expectation?: ReplayExpectation;
  /** Null when every scorer works inline, beside generation. */
  scoreQueue: string | null;
  shards: ShardRange[];
}
