import { type SplitComparison, type SplitRate } from '@kiln/contracts';
import { rate, rateInterval } from '@kiln/outcomes';
import { type SignFlipResult } from '@kiln/statistics';
import { type SignFlipInput, signFlipOf } from '../../comparison/sign-flip-input.js';

/** Significant is p < 0.05, strictly. */
export const HILLCLIMB_ALPHA = 0.05;

/** Graded completions of one example on one side, under one reading of its errors. */
export interface GradedReps {
  readonly passes: number;
  readonly graded: number;
}

/**
 * Compares one split: a sign-flip permutation test on the differences of the examples' pass rates, completions averaged
 * inside the example, so that repeating an example steadies it and adds no evidence. Memory: the examples that moved.
 * Source: contracts §5.4.
 */
export class SplitTally {
  readonly #baseline = { passes: 0, graded: 0 };
  readonly #candidate = { passes: 0, graded: 0 };
  readonly #moved: number[] = [];
  #unmoved = 0;

  /** An example of which nothing was graded on a side is no pair. */
  add(baseline: GradedReps, candidate: GradedReps): void {
    if (baseline.graded === 0 || candidate.graded === 0) return;
    addTo(this.#baseline, baseline);
    addTo(this.#candidate, candidate);
    const delta = candidate.passes / candidate.graded - baseline.passes / baseline.graded;
    if (delta === 0) this.#unmoved++;
    else this.#moved.push(delta);
  }

  get signFlipInput(): SignFlipInput {
    return { deltas: Float64Array.from(this.#moved), unmoved: this.#unmoved };
  }

  /** @param test of {@link signFlipInput}; computed here when absent. */
  finish(test: SignFlipResult | null = signFlipOf(this.signFlipInput)): SplitComparison {
    return {
      cases: this.#moved.length + this.#unmoved,
      changed: this.#moved.length,
      baseline: splitRate(this.#baseline),
      candidate: splitRate(this.#candidate),
      mean_delta: test?.mean ?? null,
      p_value: test?.p ?? null,
      verdict: test === null ? 'n/a' : test.p >= HILLCLIMB_ALPHA ? 'within-noise' : test.mean > 0 ? 'improved' : 'regressed',
    };
  }
}

function addTo(sum: { passes: number; graded: number }, { passes, graded }: GradedReps): void {
  sum.passes += passes;
  sum.graded += graded;
}

function splitRate({ passes, graded }: GradedReps): SplitRate {
  return { passes, graded, rate: rate(passes, graded), interval: rateInterval(passes, graded) };
}
