import { type Aggregation, type FrozenTarget, type GateRequest, type Generation, type JobKind, type SubmissionKind } from '@kiln/contracts';
import { type ShardRange } from '@kiln/running';

/** A job as decided: everything frozen, nothing left to look up. */
export interface Admission {
  projectId: string;
  kind: JobKind;
  submissionKind: SubmissionKind;
  origin: { actor: string; source: string } & Record<string, unknown>;
  labels: Record<string, string>;
  suite: { versionId: string; name: string; hash: string; exampleCount: number };
  aggregation: Aggregation;
  /** The run-level generation, or null. */
  generationOverride: Generation | null;
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
  shards: ShardRange[];
}
