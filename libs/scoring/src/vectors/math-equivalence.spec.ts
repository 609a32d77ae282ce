import { describe, expect, it } from 'vitest';
import { kindOf } from '../score-answer.fixture.js';
import { findThirdPartyVectors } from './find-third-party.fixture.js';

/** Right answers that are one number and nothing else. */
const PLAIN_NUMBER = /^\s*\$?[-+]?(?:\d{1,3}(?:,\d{3})+|\d*)(?:\.?\d+)?\$?\s*$/;

/**
 * Mathematical equality is wider than numeric_tolerance, which reads the last number that is written. Why a case may come out
 * otherwise, by what stands in the answer; docs/scorers.md lists the same.
 */
const REASONS: Readonly<Record<string, RegExp>> = {
  'a comma is never a decimal point': /\d,\d\d(?!\d)/,
  'percent is not scaled': /%|percent|pct/,
  'nothing is computed': /\\frac|\\times|\^|\(\d+\+\d+\)/,
  'spaces of LaTeX do not join digits': /\d\\,\d|,\\!/,
  'a box is not looked for; a later number counts': /\\boxed\{[^}]+\}[^]*\d/,
  'a digit that touches a name belongs to it': /\\[a-z]+\d/,
  'layout does not matter, so a number in an interval or between line breaks is one': /\[0,1\)|\n 9 \n/,
};

describe('math_equivalence.json', () => {
  const vectors = findThirdPartyVectors('math_equivalence.json');

  it.skipIf(vectors === null)('numeric_tolerance agrees where the right answer is one plain number, apart from what it is not for', () => {
    const cases: { gold: string; pred: string; equal: boolean }[] = vectors.cases.filter(({ gold }: { gold: string }) =>
      PLAIN_NUMBER.test(gold),
    );
    const different = cases.filter(({ gold, pred, equal }) => (kindOf({ kind: 'numeric_tolerance' }, pred, gold) === 'pass') !== equal);
    const unexplained = different.filter(({ pred }) => !Object.values(REASONS).some((reason) => reason.test(pred)));
    expect(unexplained).toEqual([]);
    expect(cases.length - different.length).toBeGreaterThan(different.length);
  });
});
