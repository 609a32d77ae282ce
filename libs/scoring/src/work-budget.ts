/** Scoring an answer would take more time or memory than one score may. */
export class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError';
}

/** What one score may still read and build. Spent before the work is done, so that what would be too large is never built. */
export class WorkBudget {
  readonly #units: number;
  #left: number;

  constructor(units: number) {
    this.#units = units;
    this.#left = units;
  }

  /** Begins anew, for the next answer. */
  restart(): void {
    this.#left = this.#units;
  }

  /** @throws TooCostlyError */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new TooCostlyError('reads or builds too many characters and items');
  }
}
