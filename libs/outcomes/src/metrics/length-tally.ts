import { type ReasoningSummary } from '@kiln/contracts';
import { quantileOfCounts } from '@kiln/statistics';

/**
 * The distribution of reasoning lengths, kept as a count per distinct length: exact quantiles, and memory bounded by the
 * longest reasoning instead of the number of samples.
 */
export class LengthTally {
  readonly #counts = new Map<number, number>();
  #total = 0;
  #sum = 0;

  /** @param length characters, an integer ≥ 0. */
  add(length: number): void {
    this.#counts.set(length, (this.#counts.get(length) ?? 0) + 1);
    this.#total++;
    this.#sum += length;
  }

  /** All zero without any. */
  summary(): ReasoningSummary {
    if (this.#total === 0) return { num_with_thinking: 0, mean: 0, p50: 0, p90: 0, max: 0 };
    return {
      num_with_thinking: this.#total,
      mean: this.#sum / this.#total,
      p50: quantileOfCounts(this.#counts, 0.5) ?? 0,
      p90: quantileOfCounts(this.#counts, 0.9) ?? 0,
      max: quantileOfCounts(this.#counts, 1) ?? 0,
    };
  }
}
