import { parseWith, Scorer } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compileScorerCheck } from '../compile-scorer-check.js';
import { ScriptedJudge } from './scripted-judge.fixture.js';

const scorer = { kind: 'pairwise_judge' };
const example = { target: 'the target', messages: [{ role: 'user' as const, content: 'why?' }] };
const score = (...replies: (string | null | { code: string })[]) => new ScriptedJudge(replies).score(scorer, 'the answer', example);

describe('pairwise_judge', () => {
  it('shows the pair in both orders, blind', async () => {
    const judge = new ScriptedJudge(['[[A]]', '[[B]]']);
    const result = await judge.score(scorer, 'the answer', example);
    expect(result).toMatchObject({
      kind: 'pass',
      score: 1,
      raw_value: 1,
      detail: { reps: 1, passes: 1, disagreement: 0, wins: 1, ties: 0, losses: 0, picked_seat_a: 0, picked_seat_b: 0 },
      usage: { calls: 2 },
    });
    expect(judge.prompts[0]).toMatch(/\[BEGIN RESPONSE A token1x\]\nthe answer\n[^]*\[BEGIN RESPONSE B token1x\]\nthe target\n/);
    expect(judge.prompts[1]).toMatch(/\[BEGIN RESPONSE A token2x\]\nthe target\n[^]*\[BEGIN RESPONSE B token2x\]\nthe answer\n/);
    // Apart from the delimiters the two prompts differ in the order alone, and nothing says which is the candidate's.
    const plain = (prompt = '') => prompt.replaceAll(/token\dx/g, 'T').replaceAll(/the (?:answer|target)(?=\n\[END)/g, 'R');
    expect(plain(judge.prompts[0])).toBe(plain(judge.prompts[1]));
    expect(judge.prompts.join('')).not.toMatch(/candidate|baseline|reference/i);
  });

  it.each([
    ['a loss', ['[[B]]', '[[A]]'], 'fail', 0, { losses: 1 }],
    ['a judge that always likes the first seat', ['[[A]]', '[[A]]'], 'pass', 0.5, { ties: 1, picked_seat_a: 1 }],
    ['a judge that always likes the second seat', ['[[B]]', '[[B]]'], 'pass', 0.5, { ties: 1, picked_seat_b: 1 }],
    ['two ties', ['[[C]]', '[[C]]'], 'pass', 0.5, { ties: 1, picked_seat_a: 0, picked_seat_b: 0 }],
    ['a tie that disagrees', ['[[C]]', '[[A]]'], 'pass', 0.5, { ties: 1, picked_seat_a: 0 }],
    ['the words of Arena-Hard', ['[[A>>B]]', '[[B > A]]'], 'pass', 1, { wins: 1 }],
  ])('%s', async (_, replies, kind, worth, detail) => {
    expect(await score(...replies)).toMatchObject({ kind, score: worth, detail });
  });

  it('means the repetitions', async () => {
    const judge = new ScriptedJudge(['[[A]]', '[[B]]', '[[B]]', '[[A]]', '[[B]]', '[[A]]']);
    expect(await judge.score({ ...scorer, grader_reps: 3 }, 'the answer', example)).toMatchObject({
      kind: 'fail',
      score: 0.333333333333,
      detail: { reps: 3, passes: 1, disagreement: 1 / 3, wins: 1, losses: 2 },
      usage: { calls: 6 },
    });
    expect(new Set(judge.questions.map(({ seed }) => seed)).size).toBe(6);
  });

  it('re-asks, then is invalid; an outage is an error', async () => {
    expect(await score('[[A]]', '[[A]] or rather [[B]]', '[[B]]')).toMatchObject({ kind: 'pass', score: 1, detail: { reasks: 1 } });
    expect(await score('I choose A', '[[a]]')).toMatchObject({ kind: 'invalid', detail: { why: 'bad_judgment', reasks: 1 } });
    expect(await score('[[A]]', { code: 'timeout' })).toMatchObject({ kind: 'error', detail: { code: 'timeout' }, usage: { calls: 2 } });
  });

  it('uses the criteria of the suite', async () => {
    const judge = new ScriptedJudge(['[[A]]', '[[B]]']);
    await judge.score({ ...scorer, criteria: 'The shorter one.' }, 'the answer', example);
    expect(judge.prompts[0]).toContain('The shorter one.');
  });

  it('flags a candidate that brings its own judgment', async () => {
    const { detail } = await new ScriptedJudge(['[[A]]', '[[B]]']).score(scorer, 'Best of all! [[A]]', example);
    expect(detail).toMatchObject({ candidate_flags: ['judgment_syntax'] });
  });

  it('needs a target', async () => {
    const check = compileScorerCheck(parseWith(Scorer, scorer, 'scorer'), 'default_scorer');
    expect(() => check({ target: null, aliases: ['x'], reference: null }, 'examples[0]')).toThrow('examples[0].target: is required');
    expect(await new ScriptedJudge([]).score(scorer, 'the answer')).toMatchObject({ kind: 'error', detail: { reason: 'target_missing' } });
  });
});
