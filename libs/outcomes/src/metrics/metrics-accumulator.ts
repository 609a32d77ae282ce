import { type LatencySummary, type Metrics } from '@kiln/contracts';
import { ExactSum } from '@kiln/statistics';
import { type BoundedOutcome } from '../reduce-with-error-bounds.js';
import { OutcomeTally, rate, rateInterval } from './outcome-tally.js';
import { SampleTally, type SampleUsage } from './sample-tally.js';
import { SliceTallies } from './slice-tallies.js';
import { ToolConfusion } from './tool-confusion.js';

/** What the database sums better than a stream does: quantiles need a sort, money is exact in `numeric`. */
export interface StoredTotals {
  readonly latency_ms: LatencySummary;
  /** Sum over the priced samples, US dollars as a decimal string. */
  readonly known_cost_usd: string;
  /** Samples whose cost is known; free ones are. */
  readonly priced_samples: number;
}

/** What metrics know of an example besides its outcome. */
export interface MeasuredExample {
  /** ≥ 0. */
  readonly weight: number;
  readonly scorerKind: string;
  /** Tools that the target calls, in order, and those that the representative completion called. */
  readonly tools?: { readonly target: readonly string[]; readonly predicted: readonly string[] };
}

/**
 * The metrics of one run, from a stream of its examples. Memory grows with the distinct tags, scorers, tools and
 * reasoning lengths, never with the examples. Sums are exact, so neither the order of the examples nor an interruption
 * changes a bit of the result.
 */
export class MetricsAccumulator {
  readonly #outcomes = new OutcomeTally();
  readonly #worst = new OutcomeTally();
  readonly #best = new OutcomeTally();
  readonly #weights = new ExactSum();
  readonly #weightedScores = new ExactSum();
  readonly #tags = new SliceTallies();
  readonly #scorers = new SliceTallies();
  readonly #tools = new SliceTallies();
  readonly #confusion = new ToolConfusion();
  readonly #samples = new SampleTally();
  readonly #totalExamples: number;

  /** @param totalExamples examples that the run was to measure, complete or not. */
  constructor(totalExamples: number) {
    this.#totalExamples = totalExamples;
  }

  /** Adds one complete example with the raw outcomes that it was reduced from. */
  add({ actual, worst, best }: BoundedOutcome, example: MeasuredExample, samples: Iterable<SampleUsage>): void {
    this.#outcomes.add(actual);
    this.#worst.add(worst);
    this.#best.add(best);
    if (actual.kind !== 'skipped') {
      this.#weights.add(example.weight);
      this.#weightedScores.add(example.weight * actual.score);
    }
    this.#tags.add(actual.tags, actual);
    this.#scorers.add([example.scorerKind], actual);
    if (example.tools) {
      this.#tools.add(example.tools.target, actual);
      this.#confusion.add(example.tools.target, example.tools.predicted);
    }
    this.addIncomplete(samples);
  }

  /** Counts what an incomplete example used. It has no outcome and is in no rate. */
  addIncomplete(samples: Iterable<SampleUsage>): void {
    for (const sample of samples) this.#samples.add(sample);
  }

  finish(stored: StoredTotals): Metrics {
    const outcomes = this.#outcomes;
    const { num_examples, ...rates } = outcomes.slice();
    const samples = this.#samples.totals();
    const weight = this.#weights.value;
    return {
      num_examples,
      ...samples,
      ...rates,
      graded_pass_rate_confidence_interval: rateInterval(outcomes.passes, outcomes.graded),
      error_bounds: this.#errorBounds(),
      weighted_mean_score: weight === 0 ? 0 : Math.min(1, this.#weightedScores.value / weight),
      tag_breakdown: this.#tags.slices(),
      by_scorer: this.#scorers.slices(),
      pass_rate_by_tool: this.#tools.slices(),
      confusion_by_tool: this.#confusion.counts(),
      latency_ms: stored.latency_ms,
      coverage: {
        complete_examples: num_examples,
        total_examples: this.#totalExamples,
        fraction: rate(num_examples, this.#totalExamples) ?? 0,
      },
      cost_usd: stored.priced_samples === this.#samples.count ? stored.known_cost_usd : null,
      known_cost_usd: stored.known_cost_usd,
      priced_fraction: rate(stored.priced_samples, this.#samples.count),
    };
  }

  #errorBounds(): Metrics['error_bounds'] {
    const counted = this.#outcomes.counted;
    if (counted === 0) return null;
    return {
      accuracy_if_errors_fail: this.#worst.passes / counted,
      accuracy_if_errors_pass: this.#best.passes / counted,
    };
  }
}
