import { type ScorerOf } from '@kiln/contracts';
import { referenceValue } from '../expected-values.js';
import { foldCase } from '../fold-case.js';
import { plainText } from '../plain-text.js';
import { READS_AN_EXPRESSION } from './expected-texts.js';
import { wrongNumbers } from './answer-numbers.js';
import { type Mutant, type MutateExample, mayPass, mustNotPass, mustPass } from './mutant.js';
import { equalNumbers, readPlainNumber } from './number-mutants.js';
import { statesOneOf, wrongTexts } from './wrong-texts.js';
import { wrapped } from './wrap.js';

export function proveContains(scorer: ScorerOf<'contains'>): MutateExample | string {
  if (scorer.value_expression !== null) return READS_AN_EXPRESSION;
  if (scorer.mode === 'none') return 'mode none says what an answer must not hold, not what is right';
  return (example) => {
    const key = scorer.reference_key;
    const value = key === null ? null : referenceValue(example.reference, key);
    const named = value === null ? null : plainText(value);
    const [first, ...rest] = named === null ? scorer.phrases : [...scorer.phrases, named];
    if (first === undefined || (key !== null && (named ?? '') === '')) return null;
    const mutants = scorer.mode === 'any' ? anyPhrase([first, ...rest]) : allPhrases([first, ...rest]);
    return example.target === null ? mutants : [mustPass('target', example.target), ...mutants.filter(({ kind }) => kind !== 'target')];
  };
}

const SUBSTRING = 'contains compares characters, so another spelling of a number is another text';
const DENIAL = 'contains finds a phrase wherever it stands, in "It is not Paris" too';

function anyPhrase(phrases: readonly [string, ...string[]]): Mutant[] {
  const [gold] = phrases;
  return [
    ...found(gold),
    ...wrongTexts(statesOneOf(phrases)),
    ...wrongNumbers(gold, phrases),
    mayPass('negation', `It is not ${gold}.`, DENIAL),
  ];
}

function allPhrases(phrases: readonly [string, ...string[]]): Mutant[] {
  const gold = phrases.join('\n');
  const each = phrases.map((phrase) => statesOneOf([phrase]));
  const number = phrases.findIndex((phrase) => readPlainNumber(phrase) !== null);
  const withNumber = (text: string): string => phrases.map((phrase, index) => (index === number ? text : phrase)).join('\n');
  const without = phrases.slice(0, -1).join('\n');
  const last = phrases.at(-1) ?? '';
  return [
    ...found(gold),
    ...wrongTexts((text) => each.every((states) => states(text))),
    ...(number < 0 ? [] : wrongNumbers(phrases[number] ?? '', phrases, withNumber)),
    ...(foldCase(without).includes(foldCase(last)) ? [] : [mustNotPass('missing_phrase', without)]),
    mayPass('negation', `It is not ${gold}.`, DENIAL),
  ];
}

function found(gold: string): Mutant[] {
  const number = readPlainNumber(gold);
  return [
    mustPass('target', gold),
    ...wrapped(gold).map(([kind, text]) => mustPass(kind, text)),
    ...(number === null ? [] : equalNumbers(number).map(({ kind, text }) => mayPass(kind, text, SUBSTRING))),
  ];
}
