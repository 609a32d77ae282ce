import { type Interval, type MetricSlice, type OutcomeCounts, type ReducedOutcome } from '@kiln/contracts';
import { ExactSum, wilsonInterval } from '@kiln/statistics';

/** The level of every Wilson interval here. */
export const CONFIDENCE_LEVEL = 0.95;

/**
 * Rates over a set of reduced outcomes, both always:
 *   accuracy         = passes / examples that were not skipped (fail, invalid and error stay in the denominator)
 *   graded_pass_rate = passes / examples that are neither skipped nor error
 * `null` where the denominator is 0. Sums are exact, so the order of the outcomes does not matter.
 */
export class OutcomeTally {
  readonly #counts: OutcomeCounts = { pass: 0, fail: 0, invalid: 0, error: 0, skipped: 0 };
  readonly #scores = new ExactSum();

  add(outcome: Pick<ReducedOutcome, 'kind' | 'score'>): void {
    this.#counts[outcome.kind]++;
    if (outcome.kind !== 'skipped') this.#scores.add(outcome.score);
  }

  get counts(): OutcomeCounts {
    return { ...this.#counts };
  }

  /** Examples of any kind. */
  get total(): number {
    return this.counted + this.#counts.skipped;
  }

  /** Examples that were not skipped: the denominator of accuracy. */
  get counted(): number {
    const { pass, fail, invalid, error } = this.#counts;
    return pass + fail + invalid + error;
  }

  /** Examples that were measured: the denominator of the graded pass rate. */
  get graded(): number {
    return this.counted - this.#counts.error;
  }

  get passes(): number {
    return this.#counts.pass;
  }

  get meanScore(): number | null {
    return this.counted === 0 ? null : this.#scores.value / this.counted;
  }

  slice(): MetricSlice {
    return {
      num_examples: this.total,
      counts: this.counts,
      accuracy: rate(this.passes, this.counted),
      accuracy_confidence_interval: rateInterval(this.passes, this.counted),
      graded_pass_rate: rate(this.passes, this.graded),
      mean_score: this.meanScore,
    };
  }
}

/** passes ÷ trials, `null` for no trials. */
export function rate(passes: number, trials: number): number | null {
  return trials === 0 ? null : passes / trials;
}

/** The 95 % Wilson interval in the contract's form, `null` for no trials. */
export function rateInterval(passes: number, trials: number): Interval | null {
  const interval = wilsonInterval(passes, trials);
  return interval === null ? null : { ...interval, confidence_level: CONFIDENCE_LEVEL };
}
