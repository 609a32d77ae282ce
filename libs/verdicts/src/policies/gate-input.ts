import { type GateRequest, type JobState, type PairedCounts } from '@kiln/contracts';
import { type PairingFacts } from '../comparison/pair.js';

/** What identifies the evidence of one side. Sides are comparable only when all but the adapter are equal. */
export interface GateSide {
  readonly run_index: number;
  readonly suite_name: string;
  readonly suite_hash: string;
  readonly effective_generation_hash: string;
  /** `single`, `mean@K`, `pass@K` or `majority@K`. */
  readonly aggregation: string;
  /** null = the base model. */
  readonly adapter: string | null;
}

/** Everything that a gate decides from. */
export interface GateInput {
  readonly eval_job_id: string;
  readonly job_state: JobState;
  /** null: there is no such run. */
  readonly baseline: GateSide | null;
  readonly candidate: GateSide | null;
  readonly facts: PairingFacts;
  readonly counts: PairedCounts;
  readonly requirements: GateRequest;
}
