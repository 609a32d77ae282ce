import { type ScorerOf } from '@kiln/contracts';
import { checkPattern } from './check-pattern.js';
import { compilePattern } from './compile-pattern.js';
import { excerpt } from './excerpt.js';
import { plainText } from './plain-text.js';
import { failed, passed, unscorable } from './score-results.js';
import { checkValueExpression, compileScoredValue } from './scored-value.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type PatternMatchScorer = ScorerOf<'pattern_match'>;

/** Searches the answer for the pattern, anywhere in it; passes when it is found, or with `must_not_match` when it is not. */
export function compilePatternMatch({ pattern: source, mode, case_sensitive, value_expression }: PatternMatchScorer): CompiledScorer {
  const pattern = compilePattern(source, case_sensitive);
  if (pattern.kind === 'bad_pattern') return () => unscorable('bad_pattern', { message: excerpt(pattern.message) });
  const readValue = compileScoredValue(value_expression);
  const [wanted, reason] = mode === 'must_match' ? [true, 'no_match'] : [false, 'match'];
  return (input) => {
    const read = readValue(input);
    if (!read.ok) return read.score;
    const text = plainText(read.value) ?? '';
    if (!pattern.affords(text)) return unscorable('answer_too_long_for_pattern');
    return pattern.matches(text) === wanted ? passed() : failed({ reason });
  };
}

export function checkPatternMatch(scorer: PatternMatchScorer, path: string): ScorerCheck {
  checkValueExpression(scorer.value_expression, path);
  checkPattern(scorer.pattern, scorer.case_sensitive, path);
  return acceptExample;
}
