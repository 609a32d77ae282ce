import { foldCase } from '../fold-case.js';
import { equalsOneOf, wrongNumbers } from './answer-numbers.js';
import { type Mutant, mayPass, mustNotPass, mustPass } from './mutant.js';
import { equalNumbers, readPlainNumber } from './number-mutants.js';
import { statesOneOf, wrongTexts } from './wrong-texts.js';
import { wrapped } from './wrap.js';

interface TextProof {
  /** The right answers; the mutants are made of the first. */
  readonly answers: readonly [string, ...string[]];
  /** What the scorer wants around an answer. */
  readonly frame: (text: string) => string;
  /** Why dress and other spellings of a number may fail; null: they must pass. */
  readonly strict: string | null;
  /** Why a denial may pass; null: it must not. */
  readonly denied: string | null;
  readonly other: string | null;
}

/** The mutants of an answer that is text, a number or a letter. */
export function textMutants({ answers, frame, strict, denied, other }: TextProof): Mutant[] {
  const [gold] = answers;
  const dress = (kind: Mutant['kind'], text: string): Mutant => (strict === null ? mustPass(kind, text) : mayPass(kind, text, strict));
  const number = readPlainNumber(gold);
  const denial = `It is not ${gold}.`;
  const wrong = [...anotherLetter(gold), ...(other === null ? [] : [mustNotPass('other_answer', other)])];
  const equal = isOneOf(answers);
  return [
    mustPass('target', frame(gold)),
    ...wrapped(frame(gold)).map(([kind, text]) => dress(kind, text)),
    ...(number === null ? [] : equalNumbers(number).map(({ kind, text }) => dress(kind, frame(text)))),
    ...wrongTexts(statesOneOf(answers)),
    ...wrongNumbers(gold, answers, frame),
    ...wrong.filter(({ text }) => !equal(text)).map((mutant) => ({ ...mutant, text: frame(mutant.text) })),
    denied === null ? mustNotPass('negation', denial) : mayPass('negation', denial, denied),
  ];
}

/** Whether a text is one of `answers`, apart from case, outer white space and the spelling of a number. */
function isOneOf(answers: readonly string[]): (text: string) => boolean {
  const folded = new Set(answers.map((answer) => foldCase(answer.trim())));
  const equalNumber = equalsOneOf(answers);
  return (text) => folded.has(foldCase(text.trim())) || equalNumber(text);
}

/** The next letter, for an answer that is one letter: A to D stay among themselves. */
function anotherLetter(gold: string): Mutant[] {
  const letter = gold.trim();
  if (!/^[A-Za-z]$/.test(letter)) return [];
  const alphabet = ['ABCD', 'abcd', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'].find((letters) => letters.includes(letter));
  if (alphabet === undefined) return [];
  return [mustNotPass('another_label', alphabet[(alphabet.indexOf(letter) + 1) % alphabet.length] ?? '')];
}
