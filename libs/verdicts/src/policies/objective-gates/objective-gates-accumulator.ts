import { type ComparedExample, type SampleFacts } from '../../compared-example.js';
import { CATEGORIES, inCategoryOrder } from './category-order.js';
import { SideTally } from './side-tally.js';
import { type SideTotals } from './side-totals.js';

/** What one category, or the whole, came to on both sides. */
export interface PairTotals {
  readonly baseline: SideTotals;
  readonly candidate: SideTotals;
  /** (example, completion) with an ok sample on both sides: what a judge can be shown. */
  readonly pairs: number;
  /** (example, completion) that an error on a side kept from being a pair. */
  readonly pairs_lost_to_errors: number;
}

/** Everything that `objective_gates_v1` needs of the rows of a comparison. Plain JSON. */
export interface ObjectiveTotals extends PairTotals {
  /** In the contract's order, those that a pair was made in. */
  readonly categories: readonly (PairTotals & { readonly category: string })[];
}

/** Adds up a comparison for `objective_gates_v1`. Memory grows with the distinct categories, never with the examples. */
export class ObjectiveGatesAccumulator {
  readonly #whole = new PairTotalsTally();
  readonly #categories = new Map<string, PairTotalsTally>();

  add(example: ComparedExample): void {
    this.#whole.add(example);
    const category = example.category ?? CATEGORIES[0];
    let tally = this.#categories.get(category);
    if (!tally) this.#categories.set(category, (tally = new PairTotalsTally()));
    tally.add(example);
  }

  get totals(): ObjectiveTotals {
    const named = [...this.#categories].map(([category, tally]) => ({ category, ...tally.totals }));
    return { ...this.#whole.totals, categories: inCategoryOrder(named.filter(({ pairs }) => pairs > 0)) };
  }
}

class PairTotalsTally {
  readonly #baseline = new SideTally();
  readonly #candidate = new SideTally();
  #pairs = 0;
  #lost = 0;

  add({ baseline_samples, candidate_samples }: ComparedExample): void {
    this.#baseline.addExample(baseline_samples);
    this.#candidate.addExample(candidate_samples);
    const others = new Map(candidate_samples.map((sample) => [sample.completion_index, sample]));
    for (const sample of baseline_samples) {
      const made = pairOf(sample, others.get(sample.completion_index));
      if (made === 'pair') this.#pairs++;
      else if (made === 'lost') this.#lost++;
    }
  }

  get totals(): PairTotals {
    return {
      baseline: this.#baseline.totals,
      candidate: this.#candidate.totals,
      pairs: this.#pairs,
      pairs_lost_to_errors: this.#lost,
    };
  }
}

/** A skipped sample, or one that was never run, makes no pair and loses none. */
function pairOf(a: SampleFacts, b: SampleFacts | undefined): 'pair' | 'lost' | null {
  if (b === undefined || a.kind === 'skipped' || b.kind === 'skipped') return null;
  return a.kind === 'error' || b.kind === 'error' ? 'lost' : 'pair';
}
