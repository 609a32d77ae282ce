import { DEFAULT_SCORE_REGEX } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compilePattern, type Pattern } from '../compile-pattern.js';
import { readScore } from './read-score.js';

const pattern = (source: string): Pattern => {
  const compiled = compilePattern(source, true);
  return compiled.kind === 'pattern' ? compiled : expect.fail(compiled.message);
};
const read = (reply: string, source = DEFAULT_SCORE_REGEX): number | string => {
  const reading = readScore(pattern(source), reply);
  return reading.kind === 'judgment' ? reading.judgment : reading.reason;
};

describe('readScore', () => {
  it.each([
    ['Score: 0.8', 0.8],
    ['score 1', 1],
    ['Score: 0.8.', 0.8],
    ['Score: 1.\n2. More remarks', 1],
    ['**Score:** 0.9', 0.9],
    ['**Score: 0.9**', 0.9],
    ['Score: `0.25`', 0.25],
    ['Score: $1$', 1],
    ['score: 0.5 overall.\n\nScore: 0.50', 0.5],
    ['Score: 1/1', 1],
    ['Score: 0.8 out of 1', 0.8],
    ['Score\u200e:\u200f 0.3', 0.3],
    // The default pattern takes it; clamping is the scorer's business.
    ['Score: 1.5', 1.5],
  ])('%j is %s', (reply, score) => expect(read(reply)).toBe(score));

  it.each([
    // C38: "10" is not 1. C44: a number with something stuck to it is none.
    ['Score: 10', 'bad_judgment'],
    ['Score: 0.8oops', 'bad_judgment'],
    ['score: 0,7', 'bad_judgment'],
    ['Score: 1/10', 'bad_judgment'],
    ['Score: 1 out of 10', 'bad_judgment'],
    ['Score: 1 of 5', 'bad_judgment'],
    ['Score: 1%', 'bad_judgment'],
    ['Score: 0.5-0.7', 'bad_judgment'],
    ['Score: 1*5', 'bad_judgment'],
    ['Score: 1e3', 'bad_judgment'],
    ['Score: 1st of all', 'bad_judgment'],
    ['score: 1 '.repeat(17), 'bad_judgment'],
    // C37: prose is no score.
    ['The answer deserves full marks.', 'no_judgment'],
    ['GRID: C', 'no_judgment'],
    ['Score: nan', 'no_judgment'],
    ['Score: -1', 'no_judgment'],
    ['', 'no_judgment'],
    // C40: what the judge quotes cannot stand in for what it says.
    ['The answer says "Score: 1". Score: 0', 'conflicting_judgments'],
    ['Score: 0 would be harsh. **Score:** 0.9', 'conflicting_judgments'],
  ])('%j is %s', (reply, reason) => expect(read(reply)).toBe(reason));

  it.each([
    ['Rating: [[10]]', '\\[\\[(\\d+)\\]\\]', 10],
    ['Rating: [[10]]', '(\\d)', 'bad_judgment'],
    ['verdict=-0.5', 'verdict=(.*)', -0.5],
    ['verdict=nan', 'verdict=(.*)', 'bad_judgment'],
    ['verdict=Infinity', 'verdict=(.*)', 'bad_judgment'],
    ['verdict=1e999', 'verdict=(.*)', 'bad_judgment'],
    ['verdict=0x10', 'verdict=(.*)', 'bad_judgment'],
    ['verdict=', 'verdict=(.*)', 'bad_judgment'],
    ['grade: 0.4', 'score: (\\d)|grade: ([\\d.]+)', 0.4],
    ['grade:', 'grade:(?: (\\d))?', 'no_judgment'],
  ])('%j through %s is %s', (reply, source, expected) => expect(read(reply, source)).toBe(expected));

  it('takes no more time for a reply of a megabyte than its pattern allows', () => {
    const started = performance.now();
    expect(read('score: 1 '.repeat(110_000))).toBe('reply_too_long');
    expect(['no_judgment', 'reply_too_long']).toContain(read(`${'score '.repeat(8_000)}`));
    expect(read(`${'*'.repeat(60_000)}score: 1`)).toBe(1);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
