import { type ScorerOf } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { type Decimal, decimalFromNumber, equalDecimals, isInteger, withinTolerance } from './numbers/decimal.js';
import { readLastNumber, readNumbers } from './numbers/read-numbers.js';
import { failed, invalid, passed, unscorable } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { requireReadable } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type NumericToleranceScorer = ScorerOf<'numeric_tolerance'>;

/**
 * Passes when the last number of the answer is within atol + rtol·|target| of the target, bound included, in exact
 * decimal arithmetic. Without a tolerance the two must be equal: 2.0 equals 2, 123457 is not 123456. Aliases are targets too.
 * An answer without a number, or whose last number cannot be read, is `invalid`.
 */
export function compileNumericTolerance({ atol, rtol, integer_only }: NumericToleranceScorer): CompiledScorer {
  const exact = atol === 0 && rtol === 0;
  const [absolute, relative] = [decimalFromNumber(atol), decimalFromNumber(rtol)];
  const agrees = (value: Decimal, target: Decimal): boolean =>
    exact ? equalDecimals(value, target) : withinTolerance(value, target, absolute, relative);

  return ({ text, target, aliases }) => {
    const expected = [target, ...aliases].map(readNumericTarget);
    if (!isComplete(expected)) return unscorable('target_not_one_number');
    const answer = readLastNumber(text);
    if (!answer) return invalid('no_number');
    const detail = { answer: excerpt(answer.text) };
    if (answer.kind === 'unreadable') return invalid('unreadable_number', detail);
    if (answer.claim === 'bound' || (answer.claim === 'approximate' && exact)) return invalid('not_a_statement', detail);
    if (integer_only && !isInteger(answer.value)) return failed({ reason: 'not_an_integer', ...detail });
    return expected.some((value) => agrees(answer.value, value)) ? passed(detail) : failed({ reason: 'different', ...detail });
  };
}

function isComplete(targets: (Decimal | null)[]): targets is Decimal[] {
  return targets.every((target) => target !== null);
}

/** The number of a target that holds exactly one; null otherwise, and when there is no target. */
export function readNumericTarget(target: string | null): Decimal | null {
  const [only, ...others] = target === null ? [] : readNumbers(target);
  return only?.kind === 'number' && only.claim === 'exact' && others.length === 0 ? only.value : null;
}

export function checkNumericTolerance(): ScorerCheck {
  return requireReadable(
    (target) => readNumericTarget(target) !== null,
    'must hold exactly one number for the scorer numeric_tolerance',
    'Write the number alone, such as "185".',
  );
}
