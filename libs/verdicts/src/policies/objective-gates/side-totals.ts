import { type ToolCallCounts } from '@kiln/contracts';

/** Sums over the samples of one side, of all examples or of one category. Plain JSON, so that a digest can cover it. */
export interface SideTotals {
  /** Samples that are neither error nor skipped. */
  readonly ok_samples: number;
  readonly error_samples: number;
  /** Examples with an error. */
  readonly error_examples: number;
  /** Distinct examples with an ok sample. */
  readonly tasks: number;
  /** Distinct examples with an ok sample or an error: `tasks`, had no sample failed. */
  readonly tasks_without_errors: number;
  readonly tool_calls: ToolCallCounts;
  readonly rounds: number;
  /** Sum of the known costs in nano-dollars, as a decimal string. */
  readonly cost_nano: string;
  /** Ok samples whose cost is unknown. */
  readonly unpriced: number;
  readonly latency_ms: number;
  readonly wrapup_count: number;
  /** Least and most of one sample with a trace, errors of scoring among them; null without one. */
  readonly extremes: SampleExtremes | null;
}

/** What single samples were seen to reach: an error is taken to lie within. */
export interface SampleExtremes {
  readonly rounds: readonly [least: number, most: number];
  /** Nano-dollars as decimal strings, of the priced samples; null without one. */
  readonly cost_nano: readonly [least: string, most: string] | null;
  /** Most rejected calls. */
  readonly rejected: number;
  /** Most calls that were attempted, whatever became of them. */
  readonly attempted: number;
}

/** The denominator of the rejected rate: cached and suppressed calls ran nothing. */
export function attemptedCalls({ ok, rejected, failed, denied }: ToolCallCounts): number {
  return ok + rejected + failed + denied;
}
