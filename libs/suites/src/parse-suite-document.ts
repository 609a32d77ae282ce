import { type Example, parseWith, Suite, type SuiteHeader } from '@kiln/contracts';
import { duplicateIdError } from './duplicate-id.js';
import { type ExamplePlace } from './example-place.js';
import { parseExampleLine } from './parse-example-line.js';
import { parseSuiteHeader } from './parse-suite-header.js';
import { type DocumentFormat, parseText } from './parse-text.js';
import { type ResolvedExample, SuiteValidator, type SuiteValidatorOptions } from './suite-validator.js';

/** A suite that was read as a whole and passed every check. */
export interface ParsedSuite {
  readonly header: SuiteHeader;
  readonly examples: ResolvedExample[];
}

/**
 * Reads and checks a suite that is one document: header and examples together.
 *
 * @throws {KilnError} for bad syntax, a bad field, or a broken rule (contracts.md §1.2), with its path and a fix.
 */
export function parseSuiteDocument(text: string, format: DocumentFormat, options: SuiteValidatorOptions = {}): ParsedSuite {
  return checkSuiteValue(parseText(text, format, 'suite'), options);
}

/** As {@link parseSuiteDocument}, for a document that was already parsed, such as a request's body. */
export function checkSuiteValue(value: unknown, options: SuiteValidatorOptions = {}): ParsedSuite {
  const { examples, ...header } = parseWith(Suite, value, 'suite');
  return checkAll(
    header,
    examples.map((example, ordinal) => [example, { ordinal }] as const),
    options,
  );
}

/**
 * Reads and checks a suite of two files: a JSON header, and `examples.jsonl` with one example per line that is not blank.
 *
 * @throws {KilnError} as {@link parseSuiteDocument}; errors in an example name its line.
 */
export function parseSuiteFiles(headerText: string, examplesText: string, options: SuiteValidatorOptions = {}): ParsedSuite {
  const header = parseSuiteHeader(parseText(headerText, 'json', 'suite'));
  const placed: (readonly [Example, ExamplePlace])[] = [];
  for (const [index, line] of examplesText
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    const example = parseExampleLine(line, index + 1);
    if (example) placed.push([example, { ordinal: placed.length, line: index + 1 }]);
  }
  return checkAll(header, placed, options);
}

function checkAll(header: SuiteHeader, placed: readonly (readonly [Example, ExamplePlace])[], options: SuiteValidatorOptions): ParsedSuite {
  const validator = new SuiteValidator(header, options);
  const seen = new Map<string, ExamplePlace>();
  const examples = placed.map(([written, place]) => {
    const example = validator.add(written, place.ordinal, place.line);
    const first = seen.get(example.id);
    if (first) throw duplicateIdError(example.id, first, place, written.id === undefined);
    seen.set(example.id, place);
    return example;
  });
  validator.finish();
  return { header, examples };
}
