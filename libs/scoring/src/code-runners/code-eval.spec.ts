import { parseWith, Scorer, ScoreType } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { normalScore, scoreRange } from './score-range.js';

describe('the code of code_eval', () => {
  const parse = (code: string) => parseWith(Scorer, { kind: 'code_eval', code }, 'default_scorer');

  it.each([
    'def score(x):\n    return {}',
    'import re\n\ndef  score ():\n  pass',
    'x = 1\ndef score(\n  a,\n): pass',
    'async def score(): pass',
    'score = len',
  ])('may be %o', (code) => expect(parse(code)).toMatchObject({ code }));

  it.each(['x = 1', 'def scores(): pass', 'class A:\n    def score(self): pass', '# def score():', ''])('may not be %o', (code) => {
    expect(() => parse(code)).toThrow(code === '' ? 'code: must have at least 1 character' : 'code: must define score()');
  });
});

describe('normalScore', () => {
  it.each([
    ['five_star', 1, 0],
    ['five_star', 3, 0.5],
    ['five_star', 5, 1],
    ['pass_fail', 0.25, 0.25],
    ['pass_fail_critical', -1, 0],
    ['pass_fail_critical', 0, 0.5],
    ['pass_fail_critical', 1, 1],
  ] as const)('%s %d is %d', (type, value, normal) => expect(normalScore(type, value)).toBe(normal));

  it('stays in [0, 1] at the ends of every range', () => {
    for (const type of ScoreType.options) expect(scoreRange(type).map((value) => normalScore(type, value))).toEqual([0, 1]);
  });
});
