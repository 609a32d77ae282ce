/**
 * A running sum that is correctly rounded: `value` is the double nearest to the true sum of all values added, so it
 * does not depend on their order or on how they were split over accumulators. Metrics of a job that was interrupted
 * and resumed are therefore the same bits as those of one that was not, and (0.1, 0.2, 0.3) does not differ from
 * (0.3, 0.2, 0.1).
 *
 * Keeps a short list of non-overlapping partial sums; for values of like size it stays at two or three entries.
 * Source: J. R. Shewchuk, Discrete & Computational Geometry 18 (1997) 305–363, as used by Python's math.fsum.
 */
export class ExactSum {
  readonly #partials: number[] = [];

  /** @throws RangeError for NaN or an infinity, which would poison the sum without a trace. */
  add(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError(`ExactSum needs finite numbers, got ${value}`);
    const partials = this.#partials;
    let carry = value;
    let kept = 0;
    for (let index = 0; index < partials.length; index++) {
      const partial = partials[index] as number;
      const [large, small] = Math.abs(carry) < Math.abs(partial) ? [partial, carry] : [carry, partial];
      const high = large + small;
      const low = small - (high - large);
      if (low !== 0) partials[kept++] = low;
      carry = high;
    }
    partials.length = kept;
    partials.push(carry);
  }

  /** The sum so far; 0 when nothing was added. */
  get value(): number {
    const partials = this.#partials;
    let index = partials.length - 1;
    if (index < 0) return 0;
    let high = partials[index] as number;
    let low = 0;
    while (index > 0 && low === 0) {
      const before = high;
      const next = partials[--index] as number;
      high = before + next;
      low = next - (high - before);
    }
    // Half-way case: the partials below decide the direction of the last rounding.
    const below = index > 0 ? (partials[index - 1] as number) : 0;
    if ((low < 0 && below < 0) || (low > 0 && below > 0)) {
      const doubled = low * 2;
      const rounded = high + doubled;
      if (rounded - high === doubled) high = rounded;
    }
    return high;
  }
}
