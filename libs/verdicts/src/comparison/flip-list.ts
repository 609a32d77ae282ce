import { type Agreement, type Comparison, MAX_LISTED_FLIPS, type OutcomeKind } from '@kiln/contracts';
import { cohenKappa } from '@kiln/statistics';

/**
 * Which examples changed between pass and no pass, by reduced kind. Names the first hundred each way and counts all;
 * complete lists are paged from the stored outcomes.
 */
export class FlipList {
  readonly #counts = { both_pass: 0, both_fail: 0, num_improved: 0, num_regressed: 0 };
  readonly #improved: string[] = [];
  readonly #regressed: string[] = [];

  add(exampleId: string, baseline: OutcomeKind, candidate: OutcomeKind): void {
    const passedBefore = baseline === 'pass';
    const passesNow = candidate === 'pass';
    if (passedBefore === passesNow) {
      this.#counts[passesNow ? 'both_pass' : 'both_fail']++;
    } else if (passesNow) {
      this.#counts.num_improved++;
      if (this.#improved.length < MAX_LISTED_FLIPS) this.#improved.push(exampleId);
    } else {
      this.#counts.num_regressed++;
      if (this.#regressed.length < MAX_LISTED_FLIPS) this.#regressed.push(exampleId);
    }
  }

  flips(): Pick<Comparison, 'both_pass' | 'both_fail' | 'num_improved' | 'num_regressed' | 'improved' | 'regressed'> {
    return { ...this.#counts, improved: [...this.#improved], regressed: [...this.#regressed] };
  }

  /** How far the sides agree on what passes; `null` without a pair. */
  agreement(): Agreement | null {
    const { both_pass, both_fail, num_improved, num_regressed } = this.#counts;
    const agreement = cohenKappa([
      [both_pass, num_regressed],
      [num_improved, both_fail],
    ]);
    return agreement && { rate: agreement.rate, cohen_kappa: agreement.kappa };
  }
}
