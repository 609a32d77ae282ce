import { type MetricSlice, type ReducedOutcome } from '@kiln/contracts';
import { OutcomeTally } from './outcome-tally.js';

/** One tally per name (tag, scorer kind, tool). Memory grows with the distinct names only. */
export class SliceTallies {
  readonly #tallies = new Map<string, OutcomeTally>();

  /** Adds the outcome once to each distinct name. */
  add(names: Iterable<string>, outcome: Pick<ReducedOutcome, 'kind' | 'score'>): void {
    for (const name of new Set(names)) {
      let tally = this.#tallies.get(name);
      if (!tally) this.#tallies.set(name, (tally = new OutcomeTally()));
      tally.add(outcome);
    }
  }

  /** Slices by name, sorted, so that the answer does not depend on which example came first. */
  slices(): Record<string, MetricSlice> {
    const names = [...this.#tallies.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, (this.#tallies.get(name) as OutcomeTally).slice()]));
  }
}
