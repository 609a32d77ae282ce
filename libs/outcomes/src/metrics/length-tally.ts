import { type ReasoningSummary } from '@kiln/contracts';

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

  /** All zero without any. Quantile q is the value at index round(q·(n−1)) of the sorted values (contracts §1.5). */
  summary(): ReasoningSummary {
    if (this.#total === 0) return { num_with_thinking: 0, mean: 0, p50: 0, p90: 0, max: 0 };
    const lengths = [...this.#counts.keys()].sort((a, b) => a - b);
    return {
      num_with_thinking: this.#total,
      mean: this.#sum / this.#total,
      p50: this.#quantile(lengths, 0.5),
      p90: this.#quantile(lengths, 0.9),
      max: lengths.at(-1) as number,
    };
  }

  #quantile(lengths: readonly number[], q: number): number {
    let remaining = Math.round(q * (this.#total - 1));
    for (const length of lengths) {
      remaining -= this.#counts.get(length) as number;
      if (remaining < 0) return length;
    }
    return lengths.at(-1) as number;
  }
}
