import { Job, JobList as JobListSchema, type JobList, parseWith, type RunResponse } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additions } from '../suites/suite.fixture.js';
import { startApi, type TestApi } from '../test-api.fixture.js';
import { VERDICT } from './results.fixture.js';
import { finish, work } from './work.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ eval: { max_queued_jobs: 1000 } });
  await api.send('/v1/eval/suites', { body: additions('sums', 6) });
  await api.send('/v1/eval/suites', { body: additions('other', 2) });
});
afterAll(() => api.close());

async function submit(body: object = {}): Promise<string> {
  return (await api.send<RunResponse>('/v1/eval/run', { body: { suite: 'sums', ...body } })).body.job_id;
}

const get = (id: string, query = '') => api.send<Job>(`/v1/eval/jobs/${id}${query}`);

describe('GET /v1/eval/jobs/{id}', () => {
  it('shows a job from its admission to its end', async () => {
    const { body: submitted } = await api.send<RunResponse>('/v1/eval/compare', {
      body: {
        suite: 'sums',
        adapters: ['', 'good'],
        seed: '18446744073709551615',
        cost_cap: '0.5',
        token_cap: 1000000,
        labels: { sha: 'abc' },
      },
    });
    const id = submitted.job_id;
    const queued = (await get(id)).body;
    expect(parseWith(Job, queued, 'job')).toBeTruthy();
    expect(queued).toMatchObject({
      id,
      kind: 'compare',
      state: 'queued',
      stop_reason: null,
      origin: { actor: 'tester', source: 'rest' },
      labels: { sha: 'abc' },
      suite: { name: 'sums', schema_version: 2, num_examples: 6 },
      effective_seed: '18446744073709551615',
      progress: {
        examples_completed: 0,
        examples_total: 12,
        samples_completed: 0,
        samples_total: 12,
        running_accuracy: null,
        running_mean_score: null,
      },
      cost_cap: '0.5',
      token_cap: 1000000,
      spend: { usd: '0', known_usd: '0', tokens: 0, reserved_usd: '0', reserved_tokens: 0, excess_usd: '0' },
      verdicts: [],
      started_at: null,
      finished_at: null,
      links: { outcomes: `/v1/eval/jobs/${id}/outcomes` },
    });
    expect(queued.runs.map(({ name, adapter, metrics }) => [name, adapter, metrics])).toEqual([
      ['tiny', null, null],
      ['tiny+good', 'good', null],
    ]);

    await work(api, id, (ordinal) => ({ kind: ordinal < 3 ? 'pass' : 'fail' }));
    const worked = (await get(id)).body;
    expect(worked.progress).toMatchObject({
      examples_completed: 12,
      samples_completed: 12,
      running_accuracy: 0.5,
      running_mean_score: 0.5,
    });
    // 12 samples at 1,500 nano-dollars on a free target: all of it is beyond the bound, which is zero.
    expect(worked.spend).toMatchObject({ usd: '0.000018', known_usd: '0.000018', tokens: 96, excess_usd: '0.000018', reserved_usd: '0' });
    expect(worked.runs[1]).toMatchObject({
      samples_completed: 6,
      samples_total: 6,
      coverage: { complete_examples: 6, total_examples: 6, fraction: 1 },
    });

    await finish(api, id);
    const ended = (await get(id)).body;
    expect(ended).toMatchObject({ state: 'completed', finished_at: expect.any(String), runs: [{ metrics: { num_examples: 6 } }, {}] });
  });

  it.each(['00000000-0000-7000-8000-000000000000', 'nonsense'])('is 404 for %s', async (id) => {
    expect(await get(id)).toMatchObject({ status: 404, body: { error: { code: 'eval_job_not_found' } } });
  });

  it('does not show jobs of other projects', async () => {
    const id = await submit();
    const projectId = '00000000-0000-7000-8000-0000000000ee';
    await api.database.query(`INSERT INTO projects (id, name) VALUES ($1, 'others')`, [projectId]);
    const { token } = await api.makeKey(['eval:read', 'eval:run', 'ops'], projectId);
    for (const path of ['', '/outcomes', '/aggregated_outcomes', '/comparison', '/export', '/events']) {
      expect((await api.send(`/v1/eval/jobs/${id}${path}`, { key: token })).status).toBe(404);
    }
    expect((await api.send(`/v1/eval/jobs/${id}`, { method: 'DELETE', key: token })).status).toBe(404);
    expect((await api.send(`/v1/eval/jobs/${id}?purge=true`, { method: 'DELETE', key: token })).status).toBe(404);
    expect((await api.send<JobList>('/v1/eval/jobs', { key: token })).body.jobs).toEqual([]);
  });
});

describe('?wait', () => {
  it('answers soon after the end, and at once for what has ended', async () => {
    const id = await submit();
    const startedAt = performance.now();
    const waiting = get(id, '?wait=30');
    setTimeout(() => void work(api, id, () => ({ kind: 'pass' })).then(() => finish(api, id)), 300);
    expect((await waiting).body.state).toBe('completed');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect((await get(id, '?wait=30')).body.state).toBe('completed');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('answers what there is when the time is over', async () => {
    const id = await submit();
    const startedAt = performance.now();
    expect((await get(id, '?wait=0.5')).body.state).toBe('queued');
    expect(performance.now() - startedAt).toBeGreaterThan(450);
  });

  it('asks the database once for all who wait', async () => {
    const id = await submit();
    const lines = Promise.all(Array.from({ length: 50 }, () => get(id, '?wait=2')));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const [{ waiting } = { waiting: -1 }] = await api.database.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE application_name = 'kiln-api-test' AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    expect(waiting).toBeLessThanOrEqual(1);
    expect(new Set((await lines).map(({ body }) => body.state))).toEqual(new Set(['queued']));
  });

  it.each(['61', '-1', 'x'])('of %s is refused', async (wait) => {
    expect((await get(await submit(), `?wait=${wait}`)).body.error?.message).toContain('wait:');
  });
});

describe('GET /v1/eval/jobs', () => {
  it('lists newest first in pages, and filters', async () => {
    const marked = [
      await submit({ labels: { k: '1', both: 'y' } }),
      await submit({ labels: { k: '2', both: 'y' } }),
      await submit({ suite: 'other', labels: { both: 'y' } }),
    ];
    await api.send(`/v1/eval/jobs/${marked[0]}`, { method: 'DELETE' });
    const list = async (query: string) => (await api.send<JobList>(`/v1/eval/jobs?${query}`)).body;
    const ids = async (query: string) => (await list(query)).jobs.map(({ id }) => id);

    expect(parseWith(JobListSchema, await list('limit=2'), 'list')).toBeTruthy();
    expect(await ids('label=both=y')).toEqual(marked.toReversed());
    expect(await ids('label=both=y&label=k=2')).toEqual([marked[1]]);
    expect(await ids('label=both=y&state=cancelled')).toEqual([marked[0]]);
    expect(await ids('label=both=y&state=cancelled&state=queued')).toEqual(marked.toReversed());
    expect(await ids('label=both=y&suite=other')).toEqual([marked[2]]);
    expect(await ids('label=both=y&kind=compare')).toEqual([]);

    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`limit=3${cursor}`);
      paged.push(...page.jobs.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    const stored = await api.database.query<{ id: string }>(`SELECT id FROM jobs ORDER BY submitted_at DESC, id DESC`);
    expect(paged).toEqual(stored.map(({ id }) => id));
  });

  it.each(['state=done', 'kind=x', 'label=novalue', 'limit=0', 'cursor=x'])('refuses %s by name', async (query) => {
    const { status, body } = await api.send(`/v1/eval/jobs?${query}`);
    expect(status).toBe(400);
    expect(body.error?.message).toMatch(new RegExp(`^${query.split('=')[0]}`));
  });
});

describe('DELETE /v1/eval/jobs/{id}', () => {
  const cancel = (id: string, query = '', key?: string) =>
    api.send(`/v1/eval/jobs/${id}${query}`, { method: 'DELETE', ...(key ? { key } : {}) });

  it('cancels what waits, asks what runs to stop, and leaves what has ended as it is', async () => {
    const queued = await submit();
    expect((await cancel(queued)).body).toMatchObject({ status: 'cancelled', state: 'cancelled', was_in_queue: true });
    expect((await cancel(queued)).body).toMatchObject({ status: 'unchanged', state: 'cancelled' });

    const running = await submit();
    await api.database.query(`UPDATE jobs SET state = 'running' WHERE id = $1`, [running]);
    expect((await cancel(running)).body).toMatchObject({ status: 'cancelling', state: 'cancelling', was_in_queue: false });

    const done = await submit();
    await work(api, done, () => ({ kind: 'pass' }));
    await finish(api, done);
    expect((await cancel(done)).body).toMatchObject({ status: 'unchanged', state: 'completed' });
    expect((await api.send(`/v1/eval/jobs/${done}/outcomes`)).body['outcomes']).toHaveLength(6);
    const audit = await api.database.query(`SELECT actor FROM audit_log WHERE action = 'job.cancel' AND subject = ANY ($1)`, [
      [queued, running, done],
    ]);
    expect(audit).toHaveLength(2);
  });

  it('purges only for operators, only what has ended, and never under a verdict', async () => {
    const id = await submit();
    expect(await cancel(id, '?purge=true')).toMatchObject({ status: 409, body: { error: { code: 'eval_job_in_use' } } });
    await work(api, id, () => ({ kind: 'pass' }));
    await finish(api, id);
    const runner = await api.makeKey(['eval:run', 'eval:read']);
    expect((await cancel(id, '?purge=true', runner.token)).status).toBe(403);
    expect((await cancel(id, '?purge=true')).body).toMatchObject({ status: 'purged', state: null });
    expect((await get(id)).status).toBe(404);
    for (const table of ['outcomes', 'traces', 'scores', 'reduced_outcomes', 'usage_ledger', 'shards', 'budgets']) {
      const where =
        table === 'scores'
          ? 'trace_id NOT IN (SELECT id FROM traces)'
          : table === 'budgets' || table === 'usage_ledger' || table === 'shards'
            ? `job_id = '${id}'`
            : 'run_id NOT IN (SELECT id FROM runs)';
      expect(await api.database.query(`SELECT 1 FROM ${table} WHERE ${where}`)).toEqual([]);
    }

    const judged = (await api.send<RunResponse>('/v1/eval/compare', { body: { suite: 'sums', adapters: ['', 'good'] } })).body.job_id;
    await finish(api, judged, VERDICT);
    expect(await cancel(judged, '?purge=true')).toMatchObject({ status: 409, body: { error: { code: 'eval_job_in_use' } } });
    expect((await get(judged)).body.verdicts).toEqual([VERDICT]);
  });

  it('is answered alike to many at once, with one change', async () => {
    const id = await submit();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(id)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ body }) => body['status'] === 'cancelled')).toHaveLength(1);
  });
});
