import {
  type AggregatedOutcomeList,
  OutcomeList as OutcomeListSchema,
  type OutcomeList,
  parseWith,
  type RawOutcome,
  ReducedOutcome,
  type RunResponse,
} from '@kiln/contracts';
import { deriveSeed } from '@kiln/provenance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additions } from '../suites/suite.fixture.js';
import { startApi, type TestApi } from '../test-api.fixture.js';
import { COMPARISON } from './results.fixture.js';
import { finish, type Make, work } from './work.fixture.js';

const EXAMPLES = 7;
const K = 3;

let api: TestApi;
let jobId: string;

const bytes = (...values: number[]) => Uint8Array.from(values);

/** Every kind of text that a model can write. */
const make: Make = (ordinal, completionIndex, runIndex) => {
  switch (ordinal) {
    case 0:
      return { kind: 'pass', raw: 'añ €' };
    case 1:
      return { kind: 'fail', raw: bytes(0x61, 0x00, 0xff, 0x62) };
    case 2:
      return { kind: 'invalid', raw: '<think>hm\nso</think>\n42', answerStart: 20, reasoning: [7, 12] };
    case 3:
      return { kind: 'error', error: { code: 'deadline_exceeded', message: 'too slow' } };
    case 4:
      return { kind: 'fail', raw: '=cmd|"/c calc"!A1,\r\nnext' };
    default:
      return { kind: completionIndex === 0 ? 'pass' : 'fail', score: completionIndex === 0 ? 1 : 0.25, raw: `run ${runIndex}` };
  }
};

beforeAll(async () => {
  api = await startApi();
  const suite = additions('sums', EXAMPLES, { aggregation: { kind: 'mean_at_k', k: K }, generation: { n: K, temperature: 1 } });
  const own = suite.examples.map((example, n) =>
    n === 6 ? { ...example, metadata: { row: 6 }, generation: { n: K, seed: '99', thinking_budget_tokens: 5 } } : example,
  );
  await api.send('/v1/eval/suites', { body: { ...suite, examples: own } });
  const submitted = await api.send<RunResponse>('/v1/eval/compare', { body: { suite: 'sums', adapters: ['', 'good'], seed: '42' } });
  jobId = submitted.body.job_id;
  await work(api, jobId, make);
});
afterAll(() => api.close());

const outcomes = async (query = '') => (await api.send<OutcomeList>(`/v1/eval/jobs/${jobId}/outcomes${query}`)).body;

describe('outcomes', () => {
  it('are every completion of a run in suite order, while the job runs', async () => {
    const list = await outcomes('?limit=1000');
    expect(parseWith(OutcomeListSchema, list, 'list')).toBeTruthy();
    expect(list.outcomes.map((row) => [row.example_id, row.completion_index])).toEqual(
      Array.from({ length: EXAMPLES * K }, (_, n) => [`add-${Math.floor(n / K)}`, n % K]),
    );
    expect(list.next_cursor).toBeNull();
  });

  it('carry the seed that was derived for them, from the example’s own where it has one', async () => {
    const { outcomes: rows } = await outcomes('?limit=1000');
    expect(rows[1]?.generation_seed).toBe(deriveSeed(42n, 'add-0', 1).toString());
    expect(rows.at(-1)?.generation_seed).toBe(deriveSeed(99n, 'add-6', 2).toString());
  });

  it('show texts as they were written, and say where they could not', async () => {
    const { outcomes: rows } = await outcomes('?limit=1000');
    const first = (ordinal: number) => rows[ordinal * K] as RawOutcome;
    expect(first(0)).toMatchObject({
      completion_text: 'añ €',
      raw_completion_text: 'añ €',
      text_changed: false,
      reasoning_text: null,
      cost_usd: '0.0000015',
      detail: { because: 'pass' },
    });
    expect(first(1)).toMatchObject({ completion_text: 'a\u0000\ufffdb', text_changed: true });
    expect(first(2)).toMatchObject({ completion_text: '\n42', reasoning_text: 'hm\nso', raw_completion_text: '<think>hm\nso</think>\n42' });
    expect(first(3)).toMatchObject({
      kind: 'error',
      completion_text: '',
      stop_reason: null,
      cost_usd: '0',
      detail: { code: 'deadline_exceeded', message: 'too slow' },
    });
    expect(first(6)).toMatchObject({
      metadata: { row: 6 },
      tags: ['even'],
      thinking_budget: { configured: true, max_tokens: 5, tokens_source: 'example', time_source: 'unlimited' },
    });
  });

  it.each([1, 2, 5, 20, 21, 22])('come in pages of %i without a gap or a repetition', async (limit) => {
    const seen: string[] = [];
    for (let query = `?limit=${limit}&run_index=1`; ;) {
      const page = await outcomes(query);
      expect(page.outcomes.length).toBeLessThanOrEqual(limit);
      seen.push(...page.outcomes.map((row) => `${row.example_id}/${row.completion_index}`));
      if (page.next_cursor === null) break;
      query = `?limit=${limit}&run_index=1&cursor=${page.next_cursor}`;
    }
    expect(seen).toHaveLength(EXAMPLES * K);
    expect(new Set(seen).size).toBe(EXAMPLES * K);
  });

  it('are filtered by kind', async () => {
    const { outcomes: rows } = await outcomes('?kind=error&kind=invalid&limit=4');
    expect(rows.map(({ kind }) => kind)).toEqual(['invalid', 'invalid', 'invalid', 'error']);
  });

  it.each(['run_index=2', 'run_index=-1', 'kind=great', 'limit=0', 'cursor=x', 'cursor=W10'])('refuse %s by name', async (query) => {
    const answer = await api.send(`/v1/eval/jobs/${jobId}/outcomes?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error?.message).toMatch(new RegExp(`^${query.split('=')[0]}`));
  });
});

describe('a page of large texts', () => {
  it('ends early, and the pages together hold everything', async () => {
    const { body } = await api.send<RunResponse>('/v1/eval/run', { body: { inline_suite: additions('large', 8) } });
    // 3 MB each: above what a row holds itself, and three of them above what a page does.
    await work(api, body.job_id, (ordinal) => ({ kind: 'pass', raw: String(ordinal).repeat(3_000_000) }));
    const sizes: number[] = [];
    for (let cursor = ''; ;) {
      const page = (await api.send<OutcomeList>(`/v1/eval/jobs/${body.job_id}/outcomes?limit=100${cursor}`)).body;
      sizes.push(page.outcomes.length);
      for (const row of page.outcomes) expect(row.raw_completion_text).toHaveLength(3_000_000);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(sizes).toEqual([3, 3, 2]);
  });
});

describe('aggregated outcomes', () => {
  it('are none before the end, and one per example after it', async () => {
    const list = async (query = '') => (await api.send<AggregatedOutcomeList>(`/v1/eval/jobs/${jobId}/aggregated_outcomes${query}`)).body;
    expect(await list()).toEqual({ aggregated_outcomes: [], next_cursor: null });
    await finish(api, jobId);
    const whole = await list();
    expect(whole.aggregated_outcomes).toHaveLength(EXAMPLES);
    for (const row of whole.aggregated_outcomes) expect(parseWith(ReducedOutcome, row, 'row')).toEqual(row);
    expect(whole.aggregated_outcomes[6]).toMatchObject({ example_id: 'add-6', completion_indices: [0, 1, 2], metadata: { row: 6 } });
    const first = await list('?limit=4');
    const second = await list(`?limit=4&cursor=${first.next_cursor}`);
    expect([...first.aggregated_outcomes, ...second.aggregated_outcomes]).toEqual(whole.aggregated_outcomes);
    expect(second.next_cursor).toBeNull();
    expect((await list('?kind=fail')).aggregated_outcomes.map(({ example_id: id }) => id)).toEqual(['add-1', 'add-3', 'add-5']);
  });

  it('come with their comparisons', async () => {
    const { body } = await api.send(`/v1/eval/jobs/${jobId}/comparison`);
    expect(body).toEqual({ job_id: jobId, comparisons: [COMPARISON] });
  });
});

describe('the export', () => {
  it('is one JSON line a completion, of all runs', async () => {
    const { text, headers } = await api.send(`/v1/eval/jobs/${jobId}/export`);
    expect(headers['content-type']).toBe('application/jsonl');
    expect(headers['content-disposition']).toBe(`attachment; filename="${jobId}.jsonl"`);
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RawOutcome & { run_index: number; run_name: string });
    expect(rows).toHaveLength(2 * EXAMPLES * K);
    const { run_index, run_name, ...outcome } = rows[EXAMPLES * K]!;
    expect([run_index, run_name]).toEqual([1, 'tiny+good']);
    expect(outcome).toEqual((await outcomes('?run_index=1&limit=1')).outcomes[0]);
  });

  it('is CSV that no spreadsheet runs', async () => {
    const { text, headers } = await api.send(`/v1/eval/jobs/${jobId}/export?format=csv`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text.startsWith('run_index,run_name,example_id,completion_index,kind,score,completion_text')).toBe(true);
    expect(text).toContain(`0,tiny,add-4,0,fail,0,"'=cmd|""/c calc""!A1,\r\nnext"`);
  });

  it('refuses another format', async () => {
    expect((await api.send(`/v1/eval/jobs/${jobId}/export?format=xml`)).body.error?.message).toMatch(/^format/);
  });
});
