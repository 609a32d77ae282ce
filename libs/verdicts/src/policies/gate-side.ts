/** What identifies the evidence of one side of a comparison. */
export interface GateSide {
  readonly run_index: number;
  readonly suite_name: string;
  readonly suite_hash: string;
  readonly effective_generation_hash: string;
  /** `single`, `mean@K`, `pass@K` or `majority@K`. */
  readonly aggregation: string;
  /** null = the base model. */
  readonly adapter: string | null;
  readonly project: string;
  /** Identity of the frozen target. */
  readonly target_hash: string;
  /** The engine of a model, or the address of an endpoint. */
  readonly provider: string;
  /** Completions per example. */
  readonly reps: number;
}
