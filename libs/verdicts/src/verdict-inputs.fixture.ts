import { type Aggregation, type OutcomeKind, type PairedCounts, type PolicyVersion } from '@kiln/contracts';
import { type BoundedOutcome, type ReducibleRow, reduceWithErrorBounds } from '@kiln/outcomes';
import { CandidateAccumulator, type CandidateResult } from './candidate-accumulator.js';
import { type ComparedExample, type SampleFacts } from './compared-example.js';
import { type PairedResult } from './comparison/comparison-accumulator.js';
import { type GateSide } from './policies/gate-side.js';
import { type GateInput } from './policies/paired-wilson/gate-input.js';

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

/** Identities of the two sides. */
export const SIDES = {
  baseline: { run_index: 0, name: 'base', adapter: null },
  candidate: { run_index: 1, name: 'tuned', adapter: 'tuned' },
};

/** One sample; free, of one round and 100 ms, unless said otherwise. */
export function sample(kind: OutcomeKind, facts: Partial<SampleFacts> = {}): SampleFacts {
  const traced = kind !== 'error';
  return {
    completion_index: 0,
    kind,
    rounds: traced ? 1 : 0,
    cost: 0n,
    latency_ms: traced ? 100 : null,
    tokens: traced ? 10 : 0,
    stop_reason: traced ? 'stop' : null,
    tool_calls: null,
    ...facts,
  };
}

/** An example whose sides came out like this; its samples follow from the outcomes' counts unless they are given. */
export function example(ordinal: number, fields: Partial<ComparedExample>): ComparedExample {
  const { baseline = null, candidate = null } = fields;
  return {
    ordinal,
    example_id: `e${ordinal}`,
    category: null,
    split: null,
    baseline,
    candidate,
    baseline_samples: samplesOf(baseline),
    candidate_samples: samplesOf(candidate),
    ...fields,
  };
}

function samplesOf(reduced: BoundedOutcome | null): SampleFacts[] {
  if (reduced === null) return [];
  const { num_pass, num_fail, num_invalid, num_error, num_skipped } = reduced.actual;
  const counted: [OutcomeKind, number][] = [
    ['pass', num_pass],
    ['fail', num_fail],
    ['invalid', num_invalid],
    ['error', num_error],
    ['skipped', num_skipped],
  ];
  return counted.flatMap(([kind, count]) => times(count, () => kind)).map((kind, completion_index) => sample(kind, { completion_index }));
}

/** Accumulates example by example for a policy. */
export function accumulate(examples: Iterable<ComparedExample>, policy: PolicyVersion = 'paired_wilson_v1'): CandidateResult {
  const accumulator = new CandidateAccumulator(SIDES, policy);
  for (const each of examples) accumulator.add(each);
  return accumulator.finish();
}

type OutcomePair = readonly [baseline: BoundedOutcome | null, candidate: BoundedOutcome | null];

/** Accumulates pairs of outcomes, null for incomplete. */
export function accumulatePairs(pairs: readonly OutcomePair[], policy: PolicyVersion = 'paired_wilson_v1'): CandidateResult {
  return accumulate(
    pairs.map(([baseline, candidate], ordinal) => example(ordinal, { baseline, candidate })),
    policy,
  );
}

/** Compares example by example: `[baseline, candidate]`, null for incomplete. */
export function compare(pairs: readonly OutcomePair[]): PairedResult {
  return accumulatePairs(pairs).paired;
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
  project: 'p',
  target_hash: 'sha256:before',
  provider: 'onnx',
  reps: 1,
});

/** The candidate beside {@link side}. */
export const tuned: GateSide = Object.freeze({ ...side, run_index: 1, adapter: 'tuned', target_hash: 'sha256:after' });

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
    candidate: tuned,
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
