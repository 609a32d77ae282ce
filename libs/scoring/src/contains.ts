import { type ScorerOf } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { foldCase } from './fold-case.js';
import { failed, invalid, passed } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, scorerRefusal } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type ContainsScorer = ScorerOf<'contains'>;

/**
 * Substring search, not word search: "concatenate" contains "cat", and "It is not Paris" contains "Paris".
 * `any` passes on the first phrase found; `all` scores the share found and passes only at 1.
 * No phrases, or an empty one that every text contains, proves nothing and is `invalid`.
 */
export function compileContains({ phrases, mode, case_sensitive }: ContainsScorer): CompiledScorer {
  const fold = case_sensitive ? (text: string) => text : foldCase;
  const wanted = phrases.map(fold);
  if (wanted.length === 0 || wanted.includes('')) return () => invalid('phrases_empty');
  const missing = (index: number): string => excerpt(phrases[index] ?? '');

  if (mode === 'any') {
    return ({ text }) => {
      const answer = fold(text);
      return wanted.some((phrase) => answer.includes(phrase)) ? passed() : failed({ reason: 'not_found' });
    };
  }
  return ({ text }) => {
    const answer = fold(text);
    const absent = wanted.flatMap((phrase, index) => (answer.includes(phrase) ? [] : [index]));
    const [first] = absent;
    if (first === undefined) return passed();
    const found = wanted.length - absent.length;
    return failed({ reason: 'not_all_found', found, phrases: wanted.length, missing: missing(first) }, found / wanted.length);
  };
}

export function checkContains({ phrases, reference_key: key }: ContainsScorer, path: string): ScorerCheck {
  if (!phrases.includes('') && (phrases.length > 0 || key !== null)) return acceptExample;
  throw scorerRefusal(`${path}.phrases`, 'must hold at least one phrase and no empty one', 'Write the phrases to look for.');
}
