import { type RunResponse } from '@kiln/contracts';
import { DEFAULT_PROJECT_ID } from '@kiln/database';
import { deriveSeed } from '@kiln/provenance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additions } from '../suites/suite.fixture.js';
import { ECHO, startApi, type TestApi, TINY } from '../test-api.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ eval: { max_queued_jobs: 1000 } });
  await api.send('/v1/eval/suites', { body: additions('sums', 40) });
  await api.send('/v1/eval/suites', { body: additions('seeded', 2, { generation: { seed: '7' } }) });
});
afterAll(() => api.close());

interface StoredRun {
  name: string;
  queue: string;
  target: Record<string, unknown>;
  costBound: string;
  tokenBound: string;
}

const run = (body: object, headers = {}) => api.send<RunResponse>('/v1/eval/run', { body, headers });
const compare = (body: object, headers = {}) => api.send<RunResponse>('/v1/eval/compare', { body, headers });

async function storedRuns(jobId: string): Promise<StoredRun[]> {
  return api.database.query<StoredRun>(
    `SELECT r.name, r.queue, t.definition AS target, r.sample_cost_bound::text AS "costBound", r.sample_token_bound::text AS "tokenBound"
       FROM runs r JOIN targets t ON t.id = r.target_id WHERE r.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
}

describe('POST /v1/eval/run', () => {
  it('admits a job of one run with its shards, and answers its seed', async () => {
    const { status, body } = await run({ suite: 'sums', seed: '42', labels: { step: 1200 }, concurrency: 3, token_cap: 100_000 });
    expect({ status, body }).toMatchObject({ status: 200, body: { state: 'queued', effective_seed: '42' } });
    expect(body.message).toContain('40 examples');
    expect(await storedRuns(body.job_id)).toMatchObject([
      {
        name: 'tiny',
        queue: TINY.queue,
        target: { kind: 'model', engine: 'onnx', model: 'tiny', adapter: null, adapter_digest: null, pricing: { kind: 'free' } },
      },
    ]);
    const [job] = await api.database.query(
      `SELECT kind::text, state::text, labels, concurrency, origin, (SELECT sum(count)::int FROM shards s WHERE s.job_id = j.id) AS examples,
              (SELECT token_cap::text FROM budgets b WHERE b.job_id = j.id) AS cap
         FROM jobs j WHERE id = $1`,
      [body.job_id],
    );
    expect(job).toEqual({
      kind: 'eval',
      state: 'queued',
      labels: { step: '1200' },
      concurrency: 3,
      origin: { actor: 'tester', source: 'rest' },
      examples: 40,
      cap: '100000',
    });
    const audit = await api.database.query(`SELECT actor, source FROM audit_log WHERE action = 'job.admit' AND subject = $1`, [
      body.job_id,
    ]);
    expect(audit).toEqual([{ actor: 'tester', source: 'rest' }]);
  });

  it.each([
    ['the request', { suite: 'seeded', seed: 1, generation: { seed: 2 } }, '1'],
    ['its generation', { suite: 'seeded', generation: { seed: '18446744073709551615' } }, '18446744073709551615'],
    ['the suite', { suite: 'seeded' }, '7'],
  ])('takes the seed of %s', async (_who, body, seed) => {
    expect((await run(body)).body.effective_seed).toBe(seed);
  });

  it('draws another seed each time when nobody set one', async () => {
    const seeds = [await run({ suite: 'sums' }), await run({ suite: 'sums' })].map(({ body }) => body.effective_seed);
    expect(seeds[0]).not.toBe(seeds[1]);
    expect(() => deriveSeed(BigInt(seeds[0] ?? ''), 'x', 0)).not.toThrow();
  });

  it('freezes the adapter that is named, the active one, or the base', async () => {
    const adapterOf = async (body: object) => (await storedRuns((await run({ suite: 'sums', ...body })).body.job_id))[0]?.target;
    expect(await adapterOf({ adapter: 'good' })).toMatchObject({ adapter: 'good', adapter_digest: `sha256:${'0'.repeat(64)}` });
    expect(await adapterOf({})).toMatchObject({ adapter: null });
    await api.database.query(`INSERT INTO active_adapters (project_id, model_name, adapter, set_by) VALUES ($1, 'tiny', 'bad', 't')`, [
      DEFAULT_PROJECT_ID,
    ]);
    expect(await adapterOf({})).toMatchObject({ adapter: 'bad' });
    expect(await adapterOf({ adapter: '' })).toMatchObject({ adapter: null, adapter_digest: null });
    await api.database.query(`DELETE FROM active_adapters`);
  });

  it('takes the echo by name, and an endpoint with its price', async () => {
    const echo = await run({ suite: 'sums', model: 'echo' });
    expect(await storedRuns(echo.body.job_id)).toMatchObject([{ name: 'echo', queue: ECHO.queue, target: { engine: 'echo' } }]);
    const target = { kind: 'endpoint', base_url: 'http://localhost:9/v1', model: 'm', pricing: { kind: 'per_token', input: 1, output: 2 } };
    const endpoint = await run({ suite: 'sums', target, cost_cap: '0.5' });
    const [stored] = await storedRuns(endpoint.body.job_id);
    expect(stored).toMatchObject({ name: 'm', target: { kind: 'endpoint', api_key_env: null, headers: {}, timeout_ms: 120_000 } });
    // 256 completion tokens at 2 $/M, and the longest prompt's bound at 1 $/M.
    expect(Number(stored?.costBound)).toBeCloseTo((Number(stored?.tokenBound) - 256 + 512) / 1e6, 9);
  });

  it('stores an inline suite once, as a version without a name', async () => {
    const inline = additions('inline', 3);
    const before = (await api.rowCounts())['suite_versions'];
    const first = await run({ inline_suite: inline });
    await run({ inline_suite: inline });
    expect((await api.rowCounts())['suite_versions']).toBe((before ?? 0) + 1);
    expect((await api.send('/v1/eval/suites/inline')).status).toBe(404);
    const [job] = await api.database.query(`SELECT suite_name, example_count FROM jobs WHERE id = $1`, [first.body.job_id]);
    expect(job).toEqual({ suite_name: 'inline', example_count: 3 });
  });

  it('keeps the version that was current, whatever happens to the suite later', async () => {
    await api.send('/v1/eval/suites', { body: additions('moving', 2) });
    const { body } = await run({ suite: 'moving' });
    await api.send('/v1/eval/suites?force=true', { body: additions('moving', 5) });
    await api.send('/v1/eval/suites/moving', { method: 'DELETE' });
    const [job] = await api.database.query(`SELECT suite_name, example_count FROM jobs WHERE id = $1`, [body.job_id]);
    expect(job).toEqual({ suite_name: 'moving', example_count: 2 });
  });
});

describe('POST /v1/eval/compare', () => {
  it('admits one run per adapter, the baseline first, under one seed', async () => {
    const { body } = await compare({ suite: 'sums', adapters: ['good', 'bad'], baseline: '', seed: 42, gate: { min_accuracy: 0.5 } });
    expect(body).toMatchObject({ state: 'queued', effective_seed: '42' });
    expect((await storedRuns(body.job_id)).map(({ name, target }) => [name, target['adapter']])).toEqual([
      ['tiny', null],
      ['tiny+good', 'good'],
      ['tiny+bad', 'bad'],
    ]);
    const [job] = await api.database.query(`SELECT kind::text, submission_kind, gate FROM jobs WHERE id = $1`, [body.job_id]);
    expect(job).toEqual({ kind: 'compare', submission_kind: 'compare', gate: { policy: 'paired_wilson_v1', min_accuracy: 0.5 } });
  });

  it('lines the arms up block by block', async () => {
    const { body } = await compare({ suite: 'sums', targets: [{ kind: 'model' }, { kind: 'model', model: 'echo' }] });
    const shards = await api.database.query(`SELECT block, first_ordinal FROM shards WHERE job_id = $1 AND block = 0`, [body.job_id]);
    expect(shards).toHaveLength(2);
  });

  it('compares equal targets under different names', async () => {
    const targets = ['a', 'b'].map((name) => ({ kind: 'model', model: 'echo', name }));
    expect((await compare({ suite: 'sums', targets })).status).toBe(200);
  });
});

describe('Idempotency-Key', () => {
  const body = { suite: 'sums', labels: { a: '1' } };

  it('gives a repeated submission its first answer, also when its names have changed their meaning', async () => {
    await api.send('/v1/eval/suites', { body: additions('brief', 2) });
    const key = { 'idempotency-key': 'k-1' };
    const first = await run({ suite: 'brief' }, key);
    await api.send('/v1/eval/suites/brief', { method: 'DELETE' });
    const again = await run({ suite: 'brief' }, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    const jobs = await api.database.query(`SELECT 1 FROM jobs WHERE suite_name = 'brief'`);
    expect(jobs).toHaveLength(1);
  });

  it('knows the body whatever the order of its keys, and refuses another body', async () => {
    const key = { 'idempotency-key': 'k-2' };
    const first = await run({ suite: 'sums', seed: 5 }, key);
    expect((await run({ seed: 5, suite: 'sums' }, key)).body).toEqual(first.body);
    const other = await run({ suite: 'sums', seed: 6 }, key);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_reused' } } });
  });

  it('belongs to one route', async () => {
    const key = { 'idempotency-key': 'k-3' };
    const first = await run({ suite: 'sums' }, key);
    const second = await compare({ suite: 'sums', adapters: ['', 'good'] }, key);
    expect(second.status).toBe(200);
    expect(second.body.job_id).not.toBe(first.body.job_id);
  });

  it('admits one of many that come at once', async () => {
    const key = { 'idempotency-key': 'k-4' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => run({ ...body, inline_suite: undefined }, key)));
    expect(new Set(answers.map((answer) => answer.body.job_id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  it('is forgotten after 24 hours', async () => {
    const key = { 'idempotency-key': 'k-5' };
    const first = await run(body, key);
    await api.database.query(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'k-5'`);
    const later = await run({ ...body, seed: 9 }, key);
    expect(later.status).toBe(200);
    expect(later.body.job_id).not.toBe(first.body.job_id);
    expect((await run({ ...body, seed: 9 }, key)).body).toEqual(later.body);
  });

  it('is not kept for a submission that was refused', async () => {
    const key = { 'idempotency-key': 'k-6' };
    expect((await run({ suite: 'not-yet' }, key)).status).toBe(404);
    await api.send('/v1/eval/suites', { body: additions('not-yet', 2) });
    expect((await run({ suite: 'not-yet' }, key)).status).toBe(200);
  });

  it('is visible ASCII', async () => {
    expect((await run(body, { 'idempotency-key': 'a b' })).body.error?.message).toContain('idempotency-key');
  });
});
