import { type OpenErrors } from '@kiln/contracts';
import { type BoundedOutcome } from '@kiln/outcomes';

type Sides = Readonly<Record<'baseline' | 'candidate', OpenErrors>>;

/**
 * Counts the errors of paired examples that leave a reduced outcome open. An error that no reading sees (one attempt of
 * pass@K failed, another passed) could not change a verdict, and is not counted.
 */
export class OpenErrorTally {
  readonly #errors = { baseline: { samples: 0, examples: 0 }, candidate: { samples: 0, examples: 0 } };

  /** Takes an example that both sides completed; pairs with a skipped side are in no number. */
  add(baseline: BoundedOutcome | null, candidate: BoundedOutcome | null): void {
    if (!isCompared(baseline) || !isCompared(candidate)) return;
    this.#note('baseline', baseline);
    this.#note('candidate', candidate);
  }

  get errors(): Sides {
    const { baseline, candidate } = this.#errors;
    return { baseline: { ...baseline }, candidate: { ...candidate } };
  }

  #note(side: keyof Sides, { actual, worst, best }: BoundedOutcome): void {
    if (worst.kind === best.kind && worst.score === best.score && actual.kind === best.kind && actual.score === best.score) return;
    this.#errors[side].samples += actual.num_error;
    this.#errors[side].examples++;
  }
}

function isCompared(outcome: BoundedOutcome | null): outcome is BoundedOutcome {
  return outcome !== null && outcome.actual.kind !== 'skipped';
}
