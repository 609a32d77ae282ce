import { type OutcomeKind, type ToolCallCounts } from '@kiln/contracts';
import { type ComparedPair } from './comparison/pair.js';

/** One sample as policies see it. What needs a trace is null, or 0, for an error before anything was generated. */
export interface SampleFacts {
  readonly completion_index: number;
  readonly kind: OutcomeKind;
  /** Messages that the target wrote: 1 but for agents; 0 without a trace. */
  readonly rounds: number;
  /** Nano-dollars; null = unknown, never 0. */
  readonly cost: bigint | null;
  readonly latency_ms: number | null;
  /** Prompt and completion. */
  readonly tokens: number | null;
  readonly stop_reason: string | null;
  /** null: the target called no tools that were run. */
  readonly tool_calls: ToolCallCounts | null;
}

/** One example on both sides of a comparison, with every sample that was recorded. */
export interface ComparedExample extends ComparedPair {
  readonly category: string | null;
  readonly split: string | null;
  /** In order of completion index; fewer than the job's k when the example is incomplete. */
  readonly baseline_samples: readonly SampleFacts[];
  readonly candidate_samples: readonly SampleFacts[];
}
