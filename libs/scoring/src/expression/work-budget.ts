import { TooCostlyError } from './expression-errors.js';

/**
 * What one evaluation may read and build, in characters and items. Expressions have no loops, so this bounds time and
 * memory: about 40 MB and a fraction of a second. A text of a million characters can be lowered, trimmed and split.
 */
const MAX_WORK = 20_000_000;

/** Spent before the work is done, so that a text which would be too large is never built. */
export class WorkBudget {
  #left: number;

  constructor(units = MAX_WORK) {
    this.#left = units;
  }

  /** @throws TooCostlyError */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new TooCostlyError('reads or builds too many characters and items');
  }
}
