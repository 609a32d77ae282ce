import { Comparison, type FrozenTarget, Metrics, type OutcomeKind } from '@kiln/contracts';
import { type FinishingJob, type PageExample, type PageOutcome, type RunTotals } from '@kiln/database';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobReducer } from './job-reducer.js';
import { signFlipTests } from './sign-flip/sign-flip-tests.js';

const RUNS = 3;
const LATENCY = { mean: 1, p50: 1, p90: 1, p99: 1, max: 1 };
const TOTALS: RunTotals = { latencyMs: LATENCY, knownCostUsd: '0', pricedSamples: 0, untracedSamples: 0 };

/** An example with one completion a run. */
interface Row extends Pick<PageExample, 'category' | 'cluster' | 'split'> {
  readonly outcomes: readonly (readonly [OutcomeKind, number])[];
}

const outcome = fc.tuple(
  fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error', 'skipped'),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const row: fc.Arbitrary<Row> = fc.record({
  category: fc.constantFrom(null, 'chat'),
  cluster: fc.constantFrom(null, 'p', '__proto__'),
  split: fc.constantFrom(null, 'train', 'test'),
  outcomes: fc.array(outcome, { minLength: RUNS, maxLength: RUNS }),
});

function jobOf(exampleCount: number): FinishingJob {
  const target = { kind: 'model', engine: 'echo', model: 'm', adapter: null, pricing: { kind: 'free' } } as unknown as FrozenTarget;
  return {
    id: 'job',
    projectId: 'project',
    kind: 'compare',
    state: 'running',
    stopReason: null,
    suiteVersionId: 'version',
    suiteName: 'suite',
    suiteHash: 'sha256:suite',
    aggregation: { kind: 'single' },
    k: 1,
    exampleCount,
    suiteExampleCount: exampleCount,
    gate: { policy: 'hillclimb_v1' },
    runs: Array.from({ length: RUNS }, (_, ordinal) => ({
      id: `run-${ordinal}`,
      ordinal,
      name: `run ${ordinal}`,
      target,
      targetHash: `sha256:${ordinal}`,
      effectiveGenerationHash: 'sha256:generation',
      scorer: null,
    })),
  };
}

function pageOutcome([kind, score]: readonly [OutcomeKind, number], ordinal: number): PageOutcome {
  return {
    ordinal,
    completionIndex: 0,
    kind,
    score,
    scorerKind: 'exact_match',
    promptTokens: 3,
    cachedTokens: 1,
    completionTokens: 2,
    reasoningChars: null,
    unclosedThinking: false,
    rounds: 1,
    cost: null,
    latencyMs: 5,
    stopReason: 'stop',
    toolCallDetail: null,
  };
}

function reducerOf(rows: readonly Row[]): JobReducer {
  const job = jobOf(rows.length);
  const reducer = new JobReducer(job, job.gate);
  reducer.addPage({
    examples: rows.map((facts, ordinal) => ({ ...facts, ordinal, key: `e${ordinal}`, tags: [], metadata: null, weight: 1 })),
    outcomes: job.runs.map((_, run) => rows.map((one, ordinal) => pageOutcome(one.outcomes[run]!, ordinal))),
  });
  return reducer;
}

const finish = (reducer: JobReducer, signFlips?: Parameters<JobReducer['finish']>[2]) =>
  reducer.finish([TOTALS, TOTALS, TOTALS], 'completed', signFlips);

describe('the statistics of a job', () => {
  it('are the same bytes where the sign-flip tests ran elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const reducer = reducerOf(rows);
        const elsewhere = await Promise.all(reducer.signFlipInputs.map((inputs) => signFlipTests(inputs)));
        expect(JSON.stringify(finish(reducer, elsewhere))).toBe(JSON.stringify(finish(reducerOf(rows))));
      }),
      { numRuns: 40 },
    );
  });

  it('know categories and clusters, and how many candidates there are', () => {
    const rows = Array.from({ length: 24 }, (_, index): Row => ({
      category: index % 2 === 0 ? 'chat' : 'tool_heavy',
      cluster: `passage ${Math.floor(index / 4)}`,
      split: null,
      outcomes: [['fail', 0], index < 12 ? ['pass', 1] : ['fail', 0], ['fail', 0]],
    }));
    const { runs, comparisons } = finish(reducerOf(rows));
    const metrics = runs[1]!.metrics;
    expect(Metrics.parse(metrics)).toEqual(metrics);
    expect(metrics.by_category).toMatchObject({ chat: { accuracy: 0.5 }, tool_heavy: { accuracy: 0.5 } });
    // Six passages of four equal scores: three pass, three fail.
    expect(metrics.accuracy_standard_error.clustered).toMatchObject({ clusters: 6, cr0: expect.closeTo(0.5 / Math.sqrt(6), 14) });
    const [first, second] = comparisons.map(({ body }) => Comparison.parse(JSON.parse(body)));
    expect(first).toMatchObject({ mean_score_delta_clustered: { clusters: 6 }, sign_test: { p_value: 2 ** -11 } });
    // Of two candidates Holm doubles the smaller p, and the other stays at 1.
    expect(first?.adjusted_p).toMatchObject({ comparisons: 2, sign_test: { holm: 2 ** -10, benjamini_hochberg: 2 ** -10 } });
    expect(second?.adjusted_p).toMatchObject({ comparisons: 2, sign_test: { holm: 1, benjamini_hochberg: 1 } });
  });
});
