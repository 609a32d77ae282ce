import { KilnError, parseWith, SuiteHeader } from '@kiln/contracts';

/**
 * Reads the header of a suite whose examples come separately, as JSONL.
 *
 * @throws {KilnError} naming the bad field; also when the header holds examples, because it would be unclear which count.
 */
export function parseSuiteHeader(value: unknown): SuiteHeader {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'examples')) {
    throw new KilnError('eval_invalid_request', 'examples: a header beside JSONL examples must not hold examples of its own', {
      path: 'examples',
      hint: 'Remove "examples" from the header, or send everything as one document.',
    });
  }
  return parseWith(SuiteHeader, value, 'suite');
}
