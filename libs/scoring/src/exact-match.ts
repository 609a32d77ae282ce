import { type ScorerOf } from '@kiln/contracts';
import { checkExpectedValues, compileExpectedValues } from './expected-values.js';
import { foldCase } from './fold-case.js';
import { plainText } from './plain-text.js';
import { failed, passed } from './score-results.js';
import { checkValueExpression, compileScoredValue } from './scored-value.js';
import { type ScorerCheck } from './scorer-definition.js';
import { type CompiledScorer } from './scoring-input.js';

type ExactMatchScorer = ScorerOf<'exact_match'>;

/**
 * Passes when the answer, or what `value_expression` makes of it, equals the expected text: `expected_value`, a value of the
 * reference, or else the target or an alias. White space around both is removed unless the suite says otherwise. What is
 * not text is compared as JSON.
 */
export function compileExactMatch(scorer: ExactMatchScorer): CompiledScorer {
  const { case_sensitive, strip_whitespace } = scorer;
  const readValue = compileScoredValue(scorer.value_expression);
  const readExpected = compileExpectedValues(scorer.expected_value, scorer.reference_key);
  const normalise = (text: string): string => {
    const stripped = strip_whitespace ? text.trim() : text;
    return case_sensitive ? stripped : foldCase(stripped);
  };
  return (input) => {
    const expected = readExpected(input);
    if (!expected.ok) return expected.score;
    const read = readValue(input);
    if (!read.ok) return read.score;
    const text = plainText(read.value);
    if (text === null) return failed({ reason: 'different' });
    const answer = normalise(text);
    const found = expected.values.findIndex((value) => answer === normalise(plainText(value) ?? ''));
    if (found < 0) return failed({ reason: 'different' });
    return found < expected.aliasesFrom ? passed() : passed({ alias: found - expected.aliasesFrom });
  };
}

/** Something must be there to compare with. */
export function checkExactMatch(scorer: ExactMatchScorer, path: string): ScorerCheck {
  checkValueExpression(scorer.value_expression, path);
  return checkExpectedValues('exact_match', scorer.expected_value, scorer.reference_key);
}
