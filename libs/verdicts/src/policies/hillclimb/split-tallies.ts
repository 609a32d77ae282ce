import { type HillclimbReading } from '@kiln/contracts';
import { type GradedReps, SplitTally } from './split-tally.js';

export type SplitComparisons = Pick<HillclimbReading, 'overall' | 'train' | 'test'>;

/** The one split that a hillclimb may look at; every other is held out. */
const TRAIN = 'train';

/** All examples, those of the split `train`, and the held-out ones: `test`, whatever its name, and examples without a split. */
export class SplitTallies {
  readonly #overall = new SplitTally();
  readonly #train = new SplitTally();
  readonly #test = new SplitTally();

  add(split: string | null, baseline: GradedReps, candidate: GradedReps): void {
    this.#overall.add(baseline, candidate);
    (split === TRAIN ? this.#train : this.#test).add(baseline, candidate);
  }

  finish(): SplitComparisons {
    return { overall: this.#overall.finish(), train: this.#train.finish(), test: this.#test.finish() };
  }
}
