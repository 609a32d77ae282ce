import { type FinishingJob, type FinishingRun, type PageExample, type PageOutcome, type RunTotals } from '@kiln/database';
import { JobReducer, signFlipTests } from '@kiln/results';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long a job of two runs took from its raw outcomes to its verdict. */
export interface TimedJob {
  examples: number;
  moved: number;
  /** Reducing, measuring and pairing, ms. */
  reduceMs: number;
  /** Sign-flip tests of 100,000 draws, in a thread, ms. */
  testMs: number;
  /** The comparison and the gate's verdict, ms. */
  decideMs: number;
  /** Longest time that other work of the process had to wait meanwhile, ms. */
  blockedMs: number;
  outcome: string;
}

const PAGE = 1024;
const TOTALS: RunTotals = {
  latencyMs: { mean: 1, p50: 1, p90: 1, p99: 1, max: 1 },
  knownCostUsd: '0',
  pricedSamples: 0,
  untracedSamples: 0,
};

/**
 * Reduces and compares two runs of `examples` examples, of which `moved` differ (two thirds for the better), under a gate: what the
 * scheduler does with a finished job, without its database.
 */
export async function timeJob(examples: number, moved: number): Promise<TimedJob> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const job = jobOf(examples);
  const reducer = new JobReducer(job, { policy: 'paired_wilson_v1', min_accuracy: 0.4 });
  delay.enable();
  const from = performance.now();
  for (let first = 0; first < examples; first += PAGE) {
    reducer.addPage(pageOf(first, Math.min(PAGE, examples - first), moved));
    // Where the scheduler reads its next page.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const reduced = performance.now();
  const signFlips = await Promise.all(reducer.signFlipInputs.map((inputs) => signFlipTests(inputs)));
  const tested = performance.now();
  const { comparisons } = reducer.finish([TOTALS, TOTALS], 'completed', signFlips);
  const decided = performance.now();
  delay.disable();
  const [comparison] = comparisons;
  return {
    examples,
    moved,
    reduceMs: reduced - from,
    testMs: tested - reduced,
    decideMs: decided - tested,
    blockedMs: delay.max / 1e6,
    outcome: comparison!.verdict!.verdict.outcome,
  };
}

function jobOf(exampleCount: number): FinishingJob {
  return {
    id: 'bench',
    projectId: 'bench',
    kind: 'compare',
    state: 'running',
    stopReason: null,
    suiteVersionId: 'bench',
    suiteName: 'bench',
    suiteHash: 'sha256:bench',
    aggregation: { kind: 'single' },
    k: 1,
    exampleCount,
    suiteExampleCount: exampleCount,
    gate: null,
    runs: [runOf(0), runOf(1)],
  };
}

function runOf(ordinal: number): FinishingRun {
  const digest = `sha256:${ordinal}`;
  return {
    id: `run-${ordinal}`,
    ordinal,
    name: `run-${ordinal}`,
    target: {
      kind: 'model',
      engine: 'echo',
      model: 'echo',
      adapter: null,
      model_digest: digest,
      adapter_digest: null,
      tokenizer_digest: digest,
      template_digest: digest,
      pricing: { kind: 'free' },
    },
    targetHash: digest,
    effectiveGenerationHash: 'sha256:generation',
    scorer: null,
  };
}

function pageOf(first: number, count: number, moved: number): { examples: PageExample[]; outcomes: PageOutcome[][] } {
  const ordinals = Array.from({ length: count }, (_, index) => first + index);
  return {
    examples: ordinals.map((ordinal) => ({
      ordinal,
      key: `e${ordinal}`,
      tags: [ordinal % 2 === 0 ? 'even' : 'odd'],
      metadata: null,
      weight: 1,
      category: null,
      cluster: null,
      split: null,
    })),
    outcomes: [0, 1].map((run) => ordinals.map((ordinal) => outcomeOf(ordinal, run, moved))),
  };
}

function outcomeOf(ordinal: number, run: number, moved: number): PageOutcome {
  const passes = ordinal < moved ? (ordinal % 3 === 0) === (run === 0) : ordinal % 2 === 0;
  return {
    ordinal,
    completionIndex: 0,
    kind: passes ? 'pass' : 'fail',
    score: passes ? 1 : 0,
    scorerKind: 'exact_match',
    promptTokens: 20,
    cachedTokens: 0,
    completionTokens: 5,
    reasoningChars: null,
    unclosedThinking: false,
    latencyMs: 1,
    rounds: 1,
    cost: '0',
    stopReason: 'stop',
    toolCallDetail: null,
  };
}
