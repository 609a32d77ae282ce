import { type OutcomeKind } from '@kiln/contracts';

/** How much of a job ran, over all its runs. */
export interface JobTotals {
  /** Examples × completions × runs, less what was skipped. */
  readonly expected_samples: number;
  /** Samples that are neither error nor skipped. */
  readonly ok_samples: number;
  readonly error_samples: number;
}

/** Counts the samples of all runs of a job. */
export class JobCompletenessTally {
  readonly #planned: number;
  #ok = 0;
  #errors = 0;
  #skipped = 0;

  /** @param planned examples × completions × runs. */
  constructor(planned: number) {
    this.#planned = planned;
  }

  add(kind: OutcomeKind): void {
    if (kind === 'error') this.#errors++;
    else if (kind === 'skipped') this.#skipped++;
    else this.#ok++;
  }

  get totals(): JobTotals {
    return { expected_samples: this.#planned - this.#skipped, ok_samples: this.#ok, error_samples: this.#errors };
  }
}
