import { type Example, Example as ExampleSchema, KilnError, type SuiteHeader, SuiteHeader as HeaderSchema } from '@kiln/contracts';

/** A valid suite as a person writes it, to be changed by a test. */
export function writtenSuite(changes: object = {}): object {
  return {
    name: 'math-smoke',
    schema_version: 2,
    default_scorer: { kind: 'numeric_tolerance' },
    examples: [writtenExample('add', '47 + 138?', '185'), writtenExample('multiply', '23 × 17?', '391')],
    ...changes,
  };
}

export function writtenExample(id: string | undefined, content: string, target: string, changes: object = {}): object {
  return { ...(id === undefined ? {} : { id }), messages: [{ role: 'user', content }], target, ...changes };
}

export function header(changes: object = {}): SuiteHeader {
  return HeaderSchema.parse({ name: 's', schema_version: 2, default_scorer: { kind: 'exact_match' }, ...changes });
}

export function example(changes: object = {}): Example {
  return ExampleSchema.parse({ messages: [{ role: 'user', content: 'q' }], target: 'a', ...changes });
}

/** The KilnError that `act` throws. */
export function errorOf(act: () => unknown): KilnError {
  try {
    act();
  } catch (error) {
    if (error instanceof KilnError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
