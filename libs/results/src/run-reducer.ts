import { type Aggregation, type JsonObject, type Metrics } from '@kiln/contracts';
import { type FinishingRun, type PageExample, type PageOutcome, type RunTotals } from '@kiln/database';
import {
  type BoundedOutcome,
  type ClusterIndex,
  type MeasuredExample,
  MetricsAccumulator,
  reduceWithErrorBounds,
  type SampleUsage,
} from '@kiln/outcomes';
import { toolFacts } from './tool-facts.js';

/** One example of a run: its outcome, and what it was reduced from. */
export interface ReducedExample {
  /** null: incomplete, because a sample was not run. */
  outcome: BoundedOutcome | null;
  rows: readonly PageOutcome[];
}

/** Reduces one run page by page and keeps its metrics. */
export class RunReducer {
  readonly #metrics: MetricsAccumulator;

  constructor(
    readonly run: FinishingRun,
    private readonly aggregation: Aggregation,
    private readonly k: number,
    exampleCount: number,
    clusters: ClusterIndex,
  ) {
    this.#metrics = new MetricsAccumulator(exampleCount, clusters);
  }

  /** Samples cost nothing, failed ones included. */
  get isFree(): boolean {
    return this.run.target.pricing.kind === 'free';
  }

  /** What a comparison says of this side. */
  get identity(): { run_index: number; name: string; adapter: string | null } {
    const { target, ordinal, name } = this.run;
    return { run_index: ordinal, name, adapter: target.kind === 'model' ? target.adapter : null };
  }

  /**
   * Reduces the complete examples of a page. An example with a sample that was not run is incomplete: it has no reduced outcome.
   *
   * @param examples in suite order
   * @param outcomes of this run on the same page, in (ordinal, completion index) order
   * @throws ReducerError when the rows of an example contradict the aggregation
   */
  reducePage(examples: readonly PageExample[], outcomes: readonly PageOutcome[]): Map<number, ReducedExample> {
    const reduced = new Map<number, ReducedExample>();
    let next = 0;
    for (const example of examples) {
      const from = next;
      while (outcomes[next]?.ordinal === example.ordinal) next += 1;
      const rows = outcomes.slice(from, next);
      const usage = rows.map(sampleUsage);
      if (rows.length < this.k) {
        this.#metrics.addIncomplete(usage);
        reduced.set(example.ordinal, { outcome: null, rows });
        continue;
      }
      const bounded = reduceWithErrorBounds(
        this.aggregation,
        rows.map((row) => reducible(example, row)),
      );
      this.#metrics.add(bounded, { ...measured(example, rows[0]!), ...toolsOf(bounded, rows) }, usage);
      reduced.set(example.ordinal, { outcome: bounded, rows });
    }
    return reduced;
  }

  metrics(totals: RunTotals): Metrics {
    return this.#metrics.finish({
      latency_ms: totals.latencyMs,
      known_cost_usd: totals.knownCostUsd,
      // What fails on a free target costs nothing; elsewhere nobody knows what it cost.
      priced_samples: totals.pricedSamples + (this.isFree ? totals.untracedSamples : 0),
    });
  }
}

function measured({ weight, category, cluster }: PageExample, { scorerKind }: PageOutcome): MeasuredExample {
  return { weight, scorerKind, category, cluster };
}

/** The target's tools, and those that the completion which stands for the example called. */
function toolsOf({ actual }: BoundedOutcome, rows: readonly PageOutcome[]): Pick<MeasuredExample, 'tools'> {
  const row = rows.find(({ completionIndex }) => completionIndex === actual.representative_completion_index);
  const facts = row ? toolFacts(row) : null;
  return facts ? { tools: { target: facts.target, predicted: facts.called } } : {};
}

function reducible(example: PageExample, row: PageOutcome) {
  return {
    example_id: example.key,
    completion_index: row.completionIndex,
    kind: row.kind,
    score: row.score,
    tags: example.tags,
    metadata: example.metadata as JsonObject | null,
  };
}

function sampleUsage(row: PageOutcome): SampleUsage {
  const facts = toolFacts(row);
  return {
    ...(facts && { tool_call_faults: facts.faults }),
    prompt_tokens: row.promptTokens,
    cached_tokens: row.cachedTokens,
    completion_tokens: row.completionTokens,
    reasoning_chars: row.reasoningChars,
    unclosed_thinking: row.unclosedThinking,
  };
}
