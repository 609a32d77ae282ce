import { type Example, KilnError, type Scorer, type SuiteHeader } from '@kiln/contracts';
import { checkCompletionCount } from './completion-count.js';
import { deriveExampleId } from './derive-example-id.js';
import { describePlace, type ExamplePlace } from './example-place.js';

/** An example whose id is settled, whether written or derived. */
export type ResolvedExample = Example & { id: string };

/** Checks of scorers and targets, made by the scoring library (`compileScorerCheck`) and handed in. */
export type CompileScorerCheck = (
  scorer: Scorer,
  scorerPath: string,
) => (example: Pick<Example, 'target' | 'aliases' | 'reference'>, examplePath: string) => void;

export interface SuiteValidatorOptions {
  /** Refuses scorers that cannot run and targets that they cannot read. */
  readonly compileScorerCheck?: CompileScorerCheck;
  /** Largest suite. Default 1,000,000 examples. */
  readonly maxExamples?: number;
}

const MAX_EXAMPLES = 1_000_000;

/**
 * The checks of a suite that need more than one field (contracts.md §1.2), one example at a time, so that suites of any
 * size can be registered from a stream. Memory does not grow with the suite: repeated ids are found by the database, or
 * by parseSuiteDocument for whole documents.
 */
export class SuiteValidator {
  readonly #header: SuiteHeader;
  readonly #maxExamples: number;
  readonly #compileScorerCheck: CompileScorerCheck;
  readonly #checkDefaultScorer: ReturnType<CompileScorerCheck>;
  #count = 0;

  /** @throws {KilnError} when the header alone is already wrong. */
  constructor(header: SuiteHeader, { compileScorerCheck, maxExamples = MAX_EXAMPLES }: SuiteValidatorOptions = {}) {
    this.#header = header;
    this.#maxExamples = maxExamples;
    this.#compileScorerCheck = compileScorerCheck ?? (() => () => {});
    this.#checkDefaultScorer = this.#compileScorerCheck(header.default_scorer, 'default_scorer');
  }

  /**
   * Checks the next example.
   *
   * @param ordinal its position in the suite, from 0.
   * @param line its line in a JSONL file, from 1; messages then name the line.
   * @returns the example with its id.
   * @throws {KilnError} naming the place, the field and the fix.
   */
  add(example: Example, ordinal: number, line?: number): ResolvedExample {
    const place: ExamplePlace = line === undefined ? { ordinal } : { ordinal, line };
    this.#count += 1;
    if (this.#count > this.#maxExamples) throw tooMany(this.#maxExamples);
    checkCompletionCount(this.#header, example, null, place);
    const at = describePlace(place);
    const check = example.scorer ? this.#compileScorerCheck(example.scorer, `${at}.scorer`) : this.#checkDefaultScorer;
    check(example, at);
    return { ...example, id: example.id ?? deriveExampleId(example) };
  }

  /**
   * @returns how many examples were added.
   * @throws {KilnError} when there were none.
   */
  finish(): { count: number } {
    if (this.#count > 0) return { count: this.#count };
    throw new KilnError('eval_invalid_request', 'examples: the suite has no examples', {
      path: 'examples',
      hint: 'Write at least one example.',
    });
  }
}

function tooMany(limit: number): KilnError {
  return new KilnError('payload_too_large', `examples: the suite has more than ${limit} examples`, {
    path: 'examples',
    hint: 'Split it into several suites.',
  });
}
