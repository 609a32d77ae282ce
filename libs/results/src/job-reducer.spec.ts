import { type FrozenTarget, GateRequest, type OutcomeKind, Verdict } from '@kiln/contracts';
import { type FinishingJob, type PageExample, type PageOutcome, type RunTotals } from '@kiln/database';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobReducer } from './job-reducer.js';
import { type JobPage } from './read-pages.js';

const K = 2;
const TOTALS: RunTotals = {
  latencyMs: { mean: 0, p50: 0, p90: 0, p99: 0, max: 0 },
  knownCostUsd: '0',
  pricedSamples: 0,
  untracedSamples: 0,
};
const GATES: GateRequest[] = [
  { policy: 'paired_wilson_v1', min_accuracy: 0.3 },
  GateRequest.parse({ policy: 'objective_gates_v1', completeness_floor: 0.5, win_threshold: 0.5 }),
  { policy: 'hillclimb_v1' },
];

function target(adapter: string | null): FrozenTarget {
  const digest = `sha256:${'0'.repeat(64)}`;
  const digests = { model_digest: digest, adapter_digest: adapter && digest, tokenizer_digest: digest, template_digest: digest };
  return { kind: 'model', engine: 'echo', model: 'm', adapter, ...digests, pricing: { kind: 'free' } };
}

function jobOf(exampleCount: number): FinishingJob {
  return {
    id: 'job-1',
    projectId: 'project-1',
    kind: 'compare',
    state: 'running',
    stopReason: null,
    suiteVersionId: 'version-1',
    suiteName: 'arithmetic',
    suiteHash: 'sha256:suite',
    aggregation: { kind: 'mean_at_k', k: K },
    k: K,
    exampleCount,
    suiteExampleCount: exampleCount,
    gate: null,
    runs: [null, 'a', 'b'].map((adapter, ordinal) => ({
      id: `run-${ordinal}`,
      ordinal,
      name: adapter ?? 'base',
      target: target(adapter),
      targetHash: `sha256:target-${ordinal}`,
      effectiveGenerationHash: 'sha256:generation',
      scorer: null,
    })),
  };
}

/** One example with what each run made of it; an empty list: it was not run there. */
interface Row {
  readonly example: Pick<PageExample, 'category' | 'split' | 'cluster'>;
  readonly runs: readonly (readonly Sampled[])[];
}
interface Sampled {
  readonly kind: OutcomeKind;
  readonly rounds: number;
  readonly cost: string | null;
}

const sampled: fc.Arbitrary<Sampled> = fc.record({
  kind: fc.constantFrom<OutcomeKind>('pass', 'pass', 'fail', 'fail', 'invalid', 'error', 'skipped'),
  rounds: fc.integer({ min: 1, max: 5 }),
  cost: fc.constantFrom('0', '0.000000001', '0.1', null),
});
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    example: fc.record({
      category: fc.constantFrom('chat', 'tool_heavy', 'zoo', null),
      split: fc.constantFrom('train', 'test', null),
      cluster: fc.constantFrom('c1', 'c2', null),
    }),
    runs: fc.array(fc.oneof({ weight: 9, arbitrary: fc.array(sampled, { minLength: K, maxLength: K }) }, fc.constant([])), {
      minLength: 3,
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 40 },
);

function pageOf(all: readonly Row[], first: number, end: number): JobPage {
  const ordinals = all.slice(first, end).map((row, at) => [first + at, row] as const);
  return {
    examples: ordinals.map(([ordinal, { example }]) => ({ ordinal, key: `e${ordinal}`, tags: [], metadata: null, weight: 1, ...example })),
    outcomes: [0, 1, 2].map((run) =>
      ordinals.flatMap(([ordinal, row]) => (row.runs[run] ?? []).map((sample, index) => outcomeRow(ordinal, index, sample))),
    ),
  };
}

function outcomeRow(ordinal: number, completionIndex: number, { kind, rounds, cost }: Sampled): PageOutcome {
  const traced = kind !== 'error';
  return {
    ordinal,
    completionIndex,
    kind,
    score: kind === 'pass' ? 1 : 0,
    scorerKind: 'exact_match',
    promptTokens: traced ? 5 : 0,
    cachedTokens: 0,
    completionTokens: traced ? 3 : 0,
    reasoningChars: null,
    unclosedThinking: false,
    rounds: traced ? rounds : 0,
    cost: traced ? cost : null,
    latencyMs: traced ? rounds * 12.7 : null,
    stopReason: traced ? 'stop' : null,
    toolCallDetail: null,
  };
}

function resultsOf(all: readonly Row[], gate: GateRequest | null, cuts: readonly number[]) {
  const reducer = new JobReducer(jobOf(all.length), gate);
  const ends = [...new Set([...cuts.map((cut) => cut % all.length), all.length])].toSorted((a, b) => a - b);
  const reduced = [...ends.keys()].map((index) => reducer.addPage(pageOf(all, ends[index - 1] ?? 0, ends[index]!)));
  const { runs, comparisons } = reducer.finish([TOTALS, TOTALS, TOTALS], 'completed');
  return {
    runs: runs.map(({ metrics }) => JSON.stringify(metrics)),
    comparisons,
    reduced: [0, 1, 2].map((run) => reduced.flatMap((page) => page[run]!)),
  };
}

describe('JobReducer', () => {
  it.each(GATES)('comes to the same bytes for any cut of the pages under $policy', (gate) => {
    fc.assert(
      fc.property(rows, fc.array(fc.nat(60), { maxLength: 12 }), (all, cuts) => {
        expect(resultsOf(all, gate, cuts)).toEqual(resultsOf(all, gate, []));
      }),
      { numRuns: 60 },
    );
  });

  it('decides each candidate against the first run, and nothing without a gate', () => {
    const both = (kind: OutcomeKind): Sampled[] => Array.from({ length: K }, () => ({ kind, rounds: 1, cost: '0' }));
    const all = Array.from({ length: 30 }, (): Row => ({
      example: { category: null, split: null, cluster: null },
      runs: [both('fail'), both('pass'), both('fail')],
    }));
    const verdicts = resultsOf(all, GATES[0]!, []).comparisons.map(({ verdict }) => Verdict.parse(verdict?.verdict));
    expect(verdicts.map(({ candidate_run_index, outcome }) => [candidate_run_index, outcome])).toEqual([
      [1, 'kept'],
      [2, 'demoted'],
    ]);
    expect(resultsOf(all, null, []).comparisons.map(({ verdict }) => verdict)).toEqual([null, null]);
  });

  it('counts the samples of all runs for completeness', () => {
    const one: Sampled[] = [
      { kind: 'pass', rounds: 1, cost: '0' },
      { kind: 'error', rounds: 1, cost: null },
    ];
    const all = Array.from({ length: 4 }, (): Row => ({ example: { category: null, split: null, cluster: null }, runs: [one, one, []] }));
    const [first] = resultsOf(all, GATES[1]!, []).comparisons;
    expect(first?.verdict?.verdict.evidence).toMatchObject({
      decision: 'inconclusive',
      completeness: { ok_samples: 8, expected_samples: 24, pairs: 4 },
      baseline: { mean_cost_per_task_usd: 0 },
    });
  });
});
