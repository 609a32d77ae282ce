import { type Aggregation, type OutcomeKind, type PairedCounts } from '@kiln/contracts';
import { type BoundedOutcome, type ReducibleRow, reduceWithErrorBounds } from '@kiln/outcomes';
import { ComparisonAccumulator, type PairedResult } from './comparison/comparison-accumulator.js';
import { type GateInput, type GateSide } from './policies/gate-input.js';

type Completion = OutcomeKind | readonly [OutcomeKind, number];

/** The outcome of one example from its completions; a bare kind scores 1 for pass and 0 otherwise. */
export function outcome(...completions: Completion[]): BoundedOutcome {
  const rows = completions.map((completion, completion_index): ReducibleRow => {
    const [kind, score] = typeof completion === 'string' ? [completion, completion === 'pass' ? 1 : 0] : completion;
    return { example_id: 'x', completion_index, kind, score, tags: [], metadata: null };
  });
  const aggregation: Aggregation = rows.length === 1 ? { kind: 'single' } : { kind: 'mean_at_k', k: rows.length };
  return reduceWithErrorBounds(aggregation, rows);
}

/** Compares example by example: `[baseline, candidate]`, null for incomplete. */
export function compare(pairs: readonly (readonly [BoundedOutcome | null, BoundedOutcome | null])[]): PairedResult {
  const accumulator = new ComparisonAccumulator({
    baseline: { run_index: 0, name: 'base', adapter: null },
    candidate: { run_index: 1, name: 'tuned', adapter: 'tuned' },
  });
  pairs.forEach(([baseline, candidate], ordinal) => accumulator.add({ ordinal, example_id: `e${ordinal}`, baseline, candidate }));
  return accumulator.finish();
}

export function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

export const side: GateSide = Object.freeze({
  run_index: 0,
  suite_name: 'arithmetic',
  suite_hash: 'sha256:suite',
  effective_generation_hash: 'sha256:generation',
  aggregation: 'single',
  adapter: null,
});

/** Counts of an all-or-nothing comparison. */
export function counts(passes: { before: number; after: number; both: number; of: number }): PairedCounts {
  const improved = passes.after - passes.both;
  const regressed = passes.before - passes.both;
  return {
    paired_examples: passes.of,
    improved,
    regressed,
    tied: passes.of - improved - regressed,
    baseline_passes: passes.before,
    candidate_passes: passes.after,
  };
}

export function gateInput(paired: PairedCounts, requirements: Partial<GateInput['requirements']> = {}): GateInput {
  return {
    eval_job_id: 'job-1',
    job_state: 'completed',
    baseline: side,
    candidate: { ...side, run_index: 1, adapter: 'tuned' },
    facts: {
      baseline_examples: paired.paired_examples,
      candidate_examples: paired.paired_examples,
      all_scores_finite: true,
      duplicate_ids: 0,
      missing_ids: 0,
    },
    counts: paired,
    requirements: { policy: 'paired_wilson_v1', min_accuracy: 0, ...requirements },
  };
}
