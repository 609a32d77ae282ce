import { type ScorerOf } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { checkExpectedValues, compileExpectedValues } from './expected-values.js';
import { type ExactJson } from './json/exact-json.js';
import { readExactJson } from './json/read-exact-json.js';
import { plainText } from './plain-text.js';
import { failed, invalid, passed } from './score-results.js';
import { checkValueExpression, compileScoredValue } from './scored-value.js';
import { type ScorerCheck } from './scorer-definition.js';
import { scorerRefusal } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type SetCheckScorer = ScorerOf<'set_check'>;
type TextSet = ReadonlySet<string>;

/**
 * Reads the answer as a set (see {@link readSet}) and compares it with the expected one: `expected_set`, a value of the
 * reference, or else the target or an alias. Order and repeats do not matter; case and white space in elements do.
 * Containing the empty set proves nothing and is `invalid`.
 */
export function compileSetCheck(scorer: SetCheckScorer): CompiledScorer {
  const { mode } = scorer;
  const readValue = compileScoredValue(scorer.value_expression);
  const readExpected = compileExpectedValues(scorer.expected_set, scorer.reference_key);
  return (input) => {
    const expected = readExpected(input);
    if (!expected.ok) return expected.score;
    const read = readValue(input);
    if (!read.ok) return read.score;
    const answer = readSet(read.value);
    const wanted = expected.values.map(readSet);
    if (answer === null || !isComplete(wanted)) return invalid('nested_too_deeply');
    if (mode === 'superset' && wanted.some(({ size }) => size === 0)) return invalid('expected_set_empty');
    return wanted.some((set) => agrees(answer, set, mode)) ? passed() : failed(differenceOf(answer, wanted[0] ?? new Set(), mode));
  };
}

/**
 * A list's elements, an object's keys, the elements of a text that is a JSON list, or any other value alone (a text without
 * the white space around it). Elements that are not text become JSON. Null when an element is nested too deeply.
 */
export function readSet(value: ExactJson): TextSet | null {
  const elements = elementsOf(value).map(plainText);
  return elements.every((element) => element !== null) ? new Set(elements) : null;
}

function elementsOf(value: ExactJson): readonly ExactJson[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null) return Object.keys(value);
  if (typeof value !== 'string') return [value];
  const text = value.trim();
  return (text.startsWith('[') ? parseList(text) : null) ?? [text];
}

function parseList(text: string): readonly ExactJson[] | null {
  const value = readExactJson(text)?.value;
  return Array.isArray(value) ? value : null;
}

function isComplete(sets: readonly (TextSet | null)[]): sets is TextSet[] {
  return sets.every((set) => set !== null);
}

function agrees(answer: TextSet, wanted: TextSet, mode: SetCheckScorer['mode']): boolean {
  if (mode === 'subset') return lacking(wanted, answer).length === 0;
  if (mode === 'superset') return lacking(answer, wanted).length === 0;
  return answer.size === wanted.size && lacking(answer, wanted).length === 0;
}

/** The elements of `wanted` that `set` lacks. */
function lacking(set: TextSet, wanted: TextSet): string[] {
  return [...wanted].filter((element) => !set.has(element));
}

function differenceOf(answer: TextSet, wanted: TextSet, mode: SetCheckScorer['mode']) {
  const missing = mode === 'subset' ? [] : lacking(answer, wanted);
  const extra = mode === 'superset' ? [] : lacking(wanted, answer);
  return {
    reason: `not_${mode}`,
    ...(missing[0] === undefined ? {} : { missing: missing.length, first_missing: excerpt(missing[0]) }),
    ...(extra[0] === undefined ? {} : { extra: extra.length, first_extra: excerpt(extra[0]) }),
  };
}

export function checkSetCheck(
  { mode, expected_set: expected, reference_key: key, value_expression }: SetCheckScorer,
  path: string,
): ScorerCheck {
  checkValueExpression(value_expression, path);
  if (mode === 'superset' && expected?.length === 0) {
    throw scorerRefusal(
      `${path}.expected_set`,
      'must not be empty: every answer contains the empty set',
      'Name the elements, or use the mode equal.',
    );
  }
  return checkExpectedValues('set_check', expected, key);
}
