import { GradedExpectation, parseWith, Scorer } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { scoreAnswer } from '../score-answer.fixture.js';
import { scorerOfGrader } from './scorer-of-grader.js';

const scorerOf = (grader: object, expected: object) =>
  scorerOfGrader(parseWith(GradedExpectation, { grader, expect: expected }, 'graded expectation'));

describe('scorerOfGrader', () => {
  it.each([
    [{ type: 'exact' }, { text: ' a ' }, { kind: 'exact_match', expected_value: ' a ' }],
    [{ type: 'contains' }, { strings: ['a', 'b'] }, { kind: 'contains', phrases: ['a', 'b'], mode: 'all' }],
    [{ type: 'regex' }, { pattern: 'a' }, { kind: 'pattern_match', pattern: 'a' }],
    [{ type: 'regex' }, { pattern: '^a.b$', flags: 'gism' }, { kind: 'pattern_match', pattern: '(?ms)^a.b$', case_sensitive: false }],
    [{ type: 'json_schema' }, { schema: { type: 'object' } }, { kind: 'json_schema', schema: { type: 'object' } }],
    [{ type: 'bash', timeout_ms: 5 }, { script: 'exit 1' }, { kind: 'bash', script: 'exit 1', timeout_ms: 5 }],
    [
      { type: 'judge', model: 'm', grader_reps: 3, provider: 'claude' },
      { claims: ['a'] },
      { kind: 'judge', claims: ['a'], judge_model: 'm', grader_reps: 3 },
    ],
  ])('maps %o with %o', (grader, expected, scorer) => {
    expect(scorerOf(grader, expected)).toEqual(Scorer.parse(scorer));
  });

  it('trims both sides of exact, and finds all strings of contains', () => {
    expect(scoreAnswer(scorerOf({ type: 'exact' }, { text: ' Paris\n' }), '\tParis ').kind).toBe('pass');
    expect(scoreAnswer(scorerOf({ type: 'exact' }, { text: 'Paris' }), 'paris').kind).toBe('fail');
    expect(scoreAnswer(scorerOf({ type: 'contains' }, { strings: ['a', 'b'] }), 'b a').kind).toBe('pass');
    expect(scoreAnswer(scorerOf({ type: 'contains' }, { strings: ['a', 'b'] }), 'a').kind).toBe('fail');
    expect(scoreAnswer(scorerOf({ type: 'regex' }, { pattern: '^b', flags: 'm' }), 'a\nb').kind).toBe('pass');
    expect(scoreAnswer(scorerOf({ type: 'regex' }, { pattern: '^b' }), 'a\nb').kind).toBe('fail');
    expect(scoreAnswer(scorerOf({ type: 'regex' }, { pattern: 'A.C', flags: 'is' }), 'a\nc').kind).toBe('pass');
  });

  it('refuses two keys of one name, a bad schema and a script that grew too long', () => {
    expect(() => scorerOf({ type: 'bash' }, { script: 'true', 'a-b': 1, a_b: 2 })).toThrow(
      'expect.a_b: becomes EVAL_EXPECT_A_B, as another key does',
    );
    expect(() => scorerOf({ type: 'bash' }, { script: 'true', long: 'x'.repeat(70_000) })).toThrow('expect.script: must have at most');
    expect(() => scorerOfGrader({ grader: { type: 'exact' }, expect: { text: 1 } }, ['cases', 3])).toThrow(
      'cases[3].expect.text: expected a string',
    );
  });
});
