import { type Decimal, equalDecimals } from '../numbers/decimal.js';
import { type Mutant, mustNotPass } from './mutant.js';
import { differentNumbers, readPlainNumber } from './number-mutants.js';

/**
 * Wrong numbers in place of `gold`, when that is a number and nothing else.
 *
 * @param answers every right answer: numbers that equal one of them are left out
 */
export function wrongNumbers(gold: string, answers: readonly string[], frame: (text: string) => string = (text) => text): Mutant[] {
  const value = readPlainNumber(gold);
  if (value === null) return [];
  const right = plainNumbers(answers);
  return differentNumbers(value)
    .filter(({ value: changed }) => !right.some((number) => equalDecimals(number, changed)))
    .map(({ kind, text }) => mustNotPass(kind, frame(text)));
}

/** Whether `text` is a number that equals one of `answers`. */
export function equalsOneOf(answers: readonly string[]): (text: string) => boolean {
  const right = plainNumbers(answers);
  return (text) => {
    const value = readPlainNumber(text);
    return value !== null && right.some((number) => equalDecimals(number, value));
  };
}

function plainNumbers(texts: readonly string[]): Decimal[] {
  return texts.map(readPlainNumber).filter((value) => value !== null);
}
