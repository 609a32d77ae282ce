import { type HillclimbReading } from '@kiln/contracts';
import { type SignFlipResult } from '@kiln/statistics';
import { type SignFlipInput } from '../../comparison/sign-flip-input.js';
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

  /** Of all examples, of `train`, of the held-out ones. */
  get signFlipInputs(): SignFlipInput[] {
    return [this.#overall, this.#train, this.#test].map((split) => split.signFlipInput);
  }

  /** @param tests of {@link signFlipInputs}; computed here when absent. */
  finish([overall, train, test]: readonly (SignFlipResult | null)[] = []): SplitComparisons {
    return { overall: this.#overall.finish(overall), train: this.#train.finish(train), test: this.#test.finish(test) };
  }
}
