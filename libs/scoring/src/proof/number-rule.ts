import { type ScorerOf } from '@kiln/contracts';
import { type Decimal, decimalFromNumber, withinTolerance } from '../numbers/decimal.js';
import { readNumbers } from '../numbers/read-numbers.js';
import { readNumericTarget } from '../numeric-tolerance.js';
import { findRightAnswers } from '../right-answers.js';
import { type MutateExample, mayPass, mustNotPass, mustPass } from './mutant.js';
import { differentNumbers, equalNumbers } from './number-mutants.js';
import { wrongTexts } from './wrong-texts.js';
import { wrapped } from './wrap.js';

export function proveNumericTolerance({ atol, rtol }: ScorerOf<'numeric_tolerance'>): MutateExample {
  const [absolute, relative] = [decimalFromNumber(atol), decimalFromNumber(rtol)];
  return (example, other) => {
    const answers = findRightAnswers(example);
    const values = (answers ?? []).map(readNumericTarget);
    const [gold] = values;
    if (answers === null || gold === undefined || gold === null) return null;
    const tolerated = (value: Decimal): boolean =>
      values.some((right) => right !== null && withinTolerance(value, right, absolute, relative));
    const text = answers[0].trim();
    const otherNumber = other === null ? null : readNumericTarget(other);
    return [
      mustPass('target', answers[0]),
      ...wrapped(text).map(([kind, dressed]) => mustPass(kind, dressed)),
      ...equalNumbers(gold).map(({ kind, text: written }) => mustPass(kind, written)),
      ...wrongTexts((wrong) => readNumbers(wrong).some((reading) => reading.kind === 'number' && tolerated(reading.value))),
      ...differentNumbers(gold).flatMap(({ kind, text: wrong, value }) => (tolerated(value) ? [] : [mustNotPass(kind, wrong)])),
      ...(other === null || otherNumber === null || tolerated(otherNumber) ? [] : [mustNotPass('other_answer', other)]),
      mayPass('negation', `It is not ${text}.`, 'numeric_tolerance reads the last number, in a denial too'),
    ];
  };
}
