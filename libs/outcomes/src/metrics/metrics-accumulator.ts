import { type LatencySummary, type Metrics, type StandardError } from '@kiln/contracts';
import { clusteredStandardError, ExactSum, minimumDetectableEffect } from '@kiln/statistics';
import { ClusterIndex } from '../clusters/cluster-index.js';
import { ClusterSums } from '../clusters/cluster-sums.js';
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
  readonly category?: string | null;
  /** Examples of one cluster are not independent of each other. */
  readonly cluster?: string | null;
  /** Tools that the target calls, in order, and those that the representative completion called. */
  readonly tools?: { readonly target: readonly string[]; readonly predicted: readonly string[] };
}

/**
 * The metrics of one run, from a stream of its examples. Memory grows with the distinct tags, scorers, tools,
 * categories and reasoning lengths, and by a few numbers a cluster; never with the examples. Sums are exact, so neither the order of the examples nor an interruption
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
  readonly #categories = new SliceTallies();
  readonly #confusion = new ToolConfusion();
  readonly #samples = new SampleTally();
  readonly #totalExamples: number;
  readonly #clusters: ClusterSums;

  /**
   * @param totalExamples examples that the run was to measure, complete or not.
   * @param clusters may be shared with the other runs of the job, which know the same clusters.
   */
  constructor(totalExamples: number, clusters = new ClusterIndex()) {
    this.#totalExamples = totalExamples;
    this.#clusters = new ClusterSums(clusters);
  }

  /** Adds one complete example with the raw outcomes that it was reduced from. */
  add({ actual, worst, best }: BoundedOutcome, example: MeasuredExample, samples: Iterable<SampleUsage>): void {
    this.#outcomes.add(actual);
    this.#worst.add(worst);
    this.#best.add(best);
    if (actual.kind !== 'skipped') {
      this.#weights.add(example.weight);
      this.#weightedScores.add(example.weight * actual.score);
      this.#clusters.add(actual.kind === 'pass' ? 1 : 0, example.cluster ?? null);
    }
    this.#tags.add(actual.tags, actual);
    this.#scorers.add([example.scorerKind], actual);
    if (example.category != null) this.#categories.add([example.category], actual);
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
    const standardError = this.#standardError();
    return {
      num_examples,
      ...samples,
      ...rates,
      accuracy_standard_error: standardError,
      minimum_detectable_effect: detectableDifference(standardError),
      graded_pass_rate_confidence_interval: rateInterval(outcomes.passes, outcomes.graded),
      error_bounds: this.#errorBounds(),
      weighted_mean_score: weight === 0 ? 0 : Math.min(1, this.#weightedScores.value / weight),
      tag_breakdown: this.#tags.slices(),
      by_scorer: this.#scorers.slices(),
      by_category: this.#categories.slices(),
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

  /** Of the accuracy: an example counts 1 when it passes, else 0. */
  #standardError(): StandardError {
    const { passes, counted } = this.#outcomes;
    const independent = [
      { sum: 1, count: 1, times: passes },
      { sum: 0, count: 1, times: counted - passes },
    ];
    return { plain: clusteredStandardError(independent)?.cr1 ?? null, clustered: this.#clusters.standardError() };
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

/** Of two independent runs of this size: the variance of their difference is twice that of one. */
function detectableDifference({ plain, clustered }: StandardError): number | null {
  const standardError = clustered?.cr1 ?? plain;
  return standardError === null || standardError === 0 ? null : minimumDetectableEffect(Math.SQRT2 * standardError);
}
