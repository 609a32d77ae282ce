/**
 * Subschemas that may be applied in one validation, half a microsecond each at worst; comparing and searching texts counts
 * as well. Recursive references inside `anyOf` would otherwise take time exponential in the depth of the answer.
 */
const MAX_STEPS = 1_000_000;

/** The validation was given up. */
export class SchemaTooCostlyError extends Error {}

/** What one validation may still cost. */
export class SchemaWork {
  #left = MAX_STEPS;

  restart(): void {
    this.#left = MAX_STEPS;
  }

  /** @throws SchemaTooCostlyError */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new SchemaTooCostlyError();
  }
}
