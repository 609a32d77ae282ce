import { describe, expect, it } from 'vitest';
import { ScriptedJudge, USAGE } from './scripted-judge.fixture.js';

const claims = ['Names the capital.', 'Uses "one" sentence'];
const scorer = { kind: 'judge', claims };
const judgment = (...met: unknown[]): string => JSON.stringify({ claims: claims.map((claim, n) => ({ claim, met: met[n] })) });
const score = (...replies: (string | null | { code: string })[]) =>
  new ScriptedJudge(replies).score({ ...scorer, grader_reps: 1 }, 'It is Paris.');
const restated = (first: string, second: string): string =>
  JSON.stringify({
    claims: [
      { claim: first, met: true },
      { claim: second, met: true },
    ],
  });

describe('judge', () => {
  it('passes when every claim is met, asked twice by default', async () => {
    const judge = new ScriptedJudge([judgment(true, true), judgment(true, true)]);
    expect(await judge.score(scorer, 'It is Paris.')).toEqual({
      kind: 'pass',
      score: 1,
      detail: { reps: 2, passes: 2, disagreement: 0, met: [2, 2] },
      raw_value: 1,
      usage: { ...USAGE, calls: 2, prompt_tokens: 20, completion_tokens: 6, cost_usd: '0.002', duration_ms: 10 },
    });
    expect(judge.prompts[0]).toContain('1. Names the capital.\n2. Uses "one" sentence');
    expect(judge.prompts[0]).toContain('[BEGIN ANSWER token1x]\nIt is Paris.\n[END ANSWER token1x]');
  });

  it('fails on a tie: with two repetitions any disagreement does', async () => {
    const judge = new ScriptedJudge([judgment(true, true), judgment(true, false)]);
    expect(await judge.score(scorer, 'x')).toMatchObject({
      kind: 'fail',
      score: 0.75,
      detail: { reps: 2, passes: 1, disagreement: 0.5, met: [2, 1] },
    });
  });

  it('counts repetitions that meet every claim, not claims: 2 of 3 each, and none met all', async () => {
    const three = { kind: 'judge', claims: ['a', 'b', 'c'], grader_reps: 3 };
    const reply = (unmet: string) => JSON.stringify({ claims: ['a', 'b', 'c'].map((claim) => ({ claim, met: claim !== unmet })) });
    const judge = new ScriptedJudge(['a', 'b', 'c'].map(reply));
    expect(await judge.score(three, 'x')).toMatchObject({ kind: 'fail', detail: { passes: 0, disagreement: 0, met: [2, 2, 2] } });
    const majority = new ScriptedJudge(['', '', 'c'].map(reply));
    expect(await majority.score(three, 'x')).toMatchObject({ kind: 'pass', detail: { passes: 2, disagreement: 1 / 3 } });
  });

  it.each([
    ['an array alone', JSON.stringify(JSON.parse(judgment(true, true)).claims)],
    ['a fence and prose', `Here it is:\n\`\`\`json\n${judgment(true, true)}\n\`\`\`\nAll good.`],
    ['comments (C41)', judgment(true, true).replace('},', '}, // fine\n')],
    ['another document first', `{"note": "thinking"} ${judgment(true, true)}`],
    ['the same judgment twice', `${judgment(true, true)}\n${judgment(true, true)}`],
    ['numbers in front', restated('1. Names the capital', '2) Uses “one” sentence.')],
    ['other case, spacing and emphasis', restated('**names  the capital**', 'uses "one"\nsentence')],
    ['fields of its own', JSON.stringify({ reason: 'x', claims: claims.map((claim) => ({ claim, why: 'y', met: true })) })],
  ])('reads %s', async (_, reply) => expect(await score(reply)).toMatchObject({ kind: 'pass', usage: { calls: 1 } }));

  it.each([
    ['text booleans', judgment('true', 'true'), 'bad_judgment'],
    ['numbers', judgment(1, 1), 'bad_judgment'],
    ['null', judgment(true, null), 'bad_judgment'],
    ['a missing claim', JSON.stringify({ claims: [{ claim: claims[0], met: true }] }), 'claims_not_restated'],
    ['the other order', restated('Uses "one" sentence', 'Names the capital.'), 'claims_not_restated'],
    ['other words', restated('Names the city.', claims[1] ?? ''), 'claims_not_restated'],
    ['no restatement', '{"claims": [{"met": true}, {"met": true}]}', 'claims_not_restated'],
    ['two judgments that differ (C40)', `${judgment(true, true)} ${judgment(true, false)}`, 'conflicting_judgments'],
    ['a judgment and an unreadable one', `${judgment(true, true)} ${judgment(true, 'no')}`, 'conflicting_judgments'],
    ['a cut-off reply (C41)', judgment(true, true).slice(0, -3), 'no_judgment'],
    ['prose', 'All claims are met.', 'no_judgment'],
    ['an inherited key', '{"__proto__": {"claims": []}}', 'no_judgment'],
    ['a flood', ' '.repeat(1_000_001), 'reply_too_long'],
  ])('is invalid twice over %s', async (_, reply, why) => {
    const { kind, detail, usage } = await score(reply, reply);
    expect({ kind, usage, detail }).toMatchObject({ kind: 'invalid', usage: { calls: 2 }, detail: { reason: 'judge_unreadable', why } });
  });

  it('is an error when one repetition is', async () => {
    const judge = new ScriptedJudge([judgment(true, true), { code: 'timeout' }]);
    expect(await judge.score(scorer, 'x')).toMatchObject({ kind: 'error', detail: { code: 'timeout' }, usage: { calls: 2 } });
  });

  it('has no answer to judge', async () => {
    const judge = new ScriptedJudge([]);
    expect(await judge.score(scorer, '')).toMatchObject({ kind: 'invalid', detail: { reason: 'empty_answer' } });
    const unclosed = { rawText: '<think>Paris', unclosedThinking: true };
    expect(await judge.score(scorer, '', unclosed)).toMatchObject({ kind: 'invalid', detail: { reason: 'unclosed_thinking' } });
  });

  it('does not show the reasoning', async () => {
    const judge = new ScriptedJudge([judgment(true, true)]);
    await judge.score({ ...scorer, grader_reps: 1 }, 'Paris', { rawText: '<think>secret</think>Paris' });
    expect(judge.prompts[0]).not.toContain('secret');
  });
});
