import { type ScorerOf } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { checkReferenceValue, referenceValue } from './expected-values.js';
import { foldCase } from './fold-case.js';
import { plainText } from './plain-text.js';
import { failed, invalid, passed, skipped } from './score-results.js';
import { checkValueExpression, compileScoredValue } from './scored-value.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, scorerRefusal } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type ContainsScorer = ScorerOf<'contains'>;

/**
 * Substring search, not word search: "concatenate" contains "cat", and "It is not Paris" contains "Paris".
 * `any` passes on the first phrase found; `all` scores the share found and passes only at 1; `none` passes when no phrase is
 * there. `reference_key` adds a phrase from the example's reference. No phrases, or an empty one that every text contains,
 * proves nothing and is `invalid`.
 */
export function compileContains(scorer: ContainsScorer): CompiledScorer {
  const { phrases, mode, case_sensitive, reference_key: key } = scorer;
  const fold = case_sensitive ? (text: string) => text : foldCase;
  const readValue = compileScoredValue(scorer.value_expression);
  const grade = GRADES[mode];
  const written = phrases.map(fold);
  if ((written.length === 0 && key === null) || written.includes('')) return () => invalid('phrases_empty');

  return (input) => {
    const read = readValue(input);
    if (!read.ok) return read.score;
    const answer = fold(plainText(read.value) ?? '');
    if (key === null) return grade(answer, written, phrases);
    const value = referenceValue(input.reference, key);
    if (value === null) return skipped('missing_reference_key');
    const phrase = plainText(value) ?? '';
    return phrase === '' ? invalid('phrases_empty') : grade(answer, [...written, fold(phrase)], [...phrases, phrase]);
  };
}

/** Grades the folded answer by the folded phrases; `phrases` are quoted as they were written. */
type Grade = (answer: string, wanted: readonly string[], phrases: readonly string[]) => ReturnType<CompiledScorer>;

const GRADES: { readonly [mode in ContainsScorer['mode']]: Grade } = {
  any: (answer, wanted) => (wanted.some((phrase) => answer.includes(phrase)) ? passed() : failed({ reason: 'not_found' })),
  all: (answer, wanted, phrases) => {
    const absent = wanted.flatMap((phrase, index) => (answer.includes(phrase) ? [] : [index]));
    const [first] = absent;
    if (first === undefined) return passed();
    const found = wanted.length - absent.length;
    return failed(
      { reason: 'not_all_found', found, phrases: wanted.length, missing: excerpt(phrases[first] ?? '') },
      found / wanted.length,
    );
  },
  none: (answer, wanted, phrases) => {
    const found = wanted.findIndex((phrase) => answer.includes(phrase));
    return found < 0 ? passed() : failed({ reason: 'found', phrase: excerpt(phrases[found] ?? '') });
  },
};

export function checkContains({ phrases, reference_key: key, value_expression }: ContainsScorer, path: string): ScorerCheck {
  checkValueExpression(value_expression, path);
  if (!phrases.includes('') && (phrases.length > 0 || key !== null)) return key === null ? acceptExample : checkReferenceValue(key);
  throw scorerRefusal(`${path}.phrases`, 'must hold at least one phrase and no empty one', 'Write the phrases to look for.');
}
