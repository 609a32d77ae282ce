import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AnswerScorer } from './answer-scorer.js';
import { checkDataSet } from './check-data-set.js';
import { checkRows, jsonl, NO_PORTS } from './check-tiny-rows.fixture.js';
import { type KnownAnswer, suiteDataSet } from './data-set.js';

const Row = z.object({ id: z.string(), target: z.string(), answers: z.array(z.custom<KnownAnswer>()).default([]) });
const sums = suiteDataSet({
  name: 'sums',
  file: 'sums.jsonl',
  row: Row,
  scorer: { kind: 'numeric_tolerance' },
  read: ({ id, target, answers }) => [{ example: { id, target, messages: [{ role: 'user', content: id }] }, answers }],
});
const answer = (text: string, expected: KnownAnswer['expected'], group?: string): KnownAnswer => ({
  name: text,
  text,
  expected,
  ...(group !== undefined && { group }),
});

describe('checkDataSet', () => {
  it('finds right answers that do not pass, and wrong ones that do', async () => {
    const answers = [answer('4', 'pass'), answer('5', 'pass'), answer('four', 'fail'), answer('6', 'wrong'), answer('4.0', 'wrong')];
    const report = await checkRows(sums, [{ id: 'a', target: '4', answers }]);
    expect(report).toMatchObject({ answers: 5, gold: { answers: 2, passes: 1 }, wrong: { answers: 3, refused: 1 }, explained: [] });
    expect(report.unexplained.map(({ at, message }) => `${at}: ${message.split(':')[0]}`)).toEqual([
      'a: 5: fail, not pass',
      'a: four: invalid, not fail',
      'a: 4.0: pass, not wrong',
    ]);
  });

  it('takes an error for no refusal', async () => {
    const code = suiteDataSet({
      ...sums,
      row: Row,
      scorer: { kind: 'python_doctest' },
      read: ({ id, answers }) => [{ example: { id, messages: [{ role: 'user', content: '>>> 1\n1' }] }, answers }],
    });
    const ports = { ...NO_PORTS, runConfined: async () => ({ ok: false, code: 'sandbox_failed', message: 'broken' }) as const };
    const report = await checkRows(code, [{ id: 'a', target: '', answers: [answer('x = 1', 'wrong')] }], ports);
    expect(report.unexplained).toHaveLength(1);
    expect(report.wrong).toEqual({ answers: 1, refused: 0 });
  });

  it('explains one answer, all of an example, a line; and finds a reason that explains nothing', async () => {
    const rows = [
      { id: 'a', target: '4', answers: [answer('5', 'pass'), answer('6', 'pass')] },
      { id: 'b', target: '4', answers: [answer('5', 'pass'), answer('6', 'pass')] },
    ];
    const exceptions = { 'a: 5': 'one', b: 'both', 'line 3': 'broken', 'b: 7': 'stale' };
    const report = await checkDataSet({ ...sums, exceptions }, `${jsonl(rows)}{"id": NaN}\n\n`, new AnswerScorer(NO_PORTS));
    expect(report.rows).toBe(3);
    expect(report.explained.map(({ at, message }) => `${at}: ${message}`).toSorted()).toEqual([
      'a: 5: one',
      'b: 5: both',
      'b: 6: both',
      'line 3: broken',
    ]);
    expect(report.unexplained.map(({ at }) => at)).toEqual(['a: 6', 'b: 7']);
  });

  it('puts the next example’s answer to each example, unless both have the same target', async () => {
    const rows = ['4', '4', '5'].map((target, index) => ({ id: `e${index}`, target, answers: [answer(target, 'pass')] }));
    const report = await checkRows({ ...sums, comparesNeighbours: true }, rows);
    expect(report).toMatchObject({ answers: 5, wrong: { answers: 2, refused: 2 }, unexplained: [] });
    const lax = await checkRows({ ...sums, comparesNeighbours: true, scorer: { kind: 'numeric_tolerance', atol: 1 } }, rows);
    expect(lax.unexplained.map(({ at }) => at)).toEqual(['e1: answer of e2', 'e2: answer of e0']);
  });

  it('compares passes with what was published, group by group', async () => {
    const rows = [
      { id: 'a', target: '4', answers: [answer('4', 'pass', 'one'), answer('4.0', 'pass', 'two'), answer('5', 'fail', 'two')] },
    ];
    expect((await checkRows({ ...sums, published: { one: 1, two: 1 } }, rows)).unexplained).toEqual([]);
    expect(
      (await checkRows({ ...sums, published: { two: 2, three: 1 } }, rows)).unexplained.map(({ at, message }) => `${at}: ${message}`),
    ).toEqual(['two: 1 pass, published: 2', 'three: 0 pass, published: 1', 'one: 1 pass, published: nothing']);
  });

  it('refuses what registration refuses', async () => {
    await expect(checkRows(sums, [{ id: 'a', target: 'many' }])).rejects.toThrow(/one number/);
    const twice = { id: 'a', target: '4' };
    await expect(checkRows(sums, [twice, twice])).rejects.toThrow(/duplicates/);
    await expect(checkRows({ ...sums, scorer: { kind: 'regex', pattern: '(' } }, [twice])).rejects.toThrow(/pattern/);
  });
});
