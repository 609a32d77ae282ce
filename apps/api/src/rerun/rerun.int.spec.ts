import { type Job, type RunResponse } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finish, work } from '../jobs/work.fixture.js';
import { additions } from '../suites/suite.fixture.js';
import { startApi, type TestApi } from '../test-api.fixture.js';

let api: TestApi;
/** A finished compare of two targets on ten examples, of which those with an odd ordinal failed in both. */
let source: string;
beforeAll(async () => {
  api = await startApi({ eval: { max_job_samples: 20 } });
  await api.send('/v1/eval/suites', { body: additions('sums', 10) });
  const { body } = await api.send<RunResponse>('/v1/eval/compare', {
    body: { suite: 'sums', adapters: ['', 'good'], model: 'tiny', seed: '42' },
  });
  source = body.job_id;
  await work(api, source, (ordinal) => ({ kind: ordinal % 2 === 0 ? 'pass' : 'fail' }));
  await finish(api, source);
});
afterAll(() => api.close());

const rerun = (body: object, id = source, headers = {}) => api.send<RunResponse>(`/v1/eval/jobs/${id}/rerun`, { body, headers });
const jobOf = async (answer: { body: RunResponse }): Promise<Job> => (await api.send<Job>(`/v1/eval/jobs/${answer.body.job_id}`)).body;

async function ordinalsOf({ body }: { body: RunResponse }): Promise<number[]> {
  const rows = await api.database.query<{ ordinal: number }>(`SELECT ordinal FROM job_selection WHERE job_id = $1 ORDER BY ordinal`, [
    body.job_id,
  ]);
  return rows.map(({ ordinal }) => ordinal);
}

describe('POST /v1/eval/jobs/{id}/rerun', () => {
  it('runs what failed again, on the targets and with the seed of the job, without a gate and without reuse', async () => {
    const answer = await rerun({});
    expect(answer.body).toMatchObject({
      state: 'queued',
      effective_seed: '42',
      message: expect.stringContaining('5 examples × 2 targets'),
    });
    expect(await ordinalsOf(answer)).toEqual([1, 3, 5, 7, 9]);
    expect(await jobOf(answer)).toMatchObject({
      kind: 'compare',
      source_job_id: source,
      selection: { source_job_id: source, outcome_kinds: ['fail', 'invalid', 'error'], num_examples: 5 },
      suite: { name: 'sums', num_examples: 5 },
      reuse: 'never',
      gate: null,
      replay_verdict: null,
      progress: { examples_total: 10, samples_total: 10 },
      runs: [
        { name: 'tiny', samples_total: 5 },
        { name: 'tiny+good', samples_total: 5 },
      ],
    });
    const shards = await api.database.query(
      `SELECT first_ordinal AS first, count FROM shards s JOIN runs r ON r.id = s.run_id WHERE s.job_id = $1 AND r.ordinal = 0 ORDER BY 1`,
      [answer.body.job_id],
    );
    expect(shards).toEqual([1, 3, 5, 7, 9].map((first) => ({ first, count: 1 })));
  });

  it('takes another adapter and another seed, and passes when they are asked for', async () => {
    const answer = await rerun({ adapter: 'bad', seed: 7, outcome_kinds: [], include_pass: true, labels: { why: 'check' } });
    expect(await ordinalsOf(answer)).toEqual([0, 2, 4, 6, 8]);
    const job = await jobOf(answer);
    expect(job).toMatchObject({ kind: 'eval', effective_seed: '7', labels: { why: 'check' }, selection: { outcome_kinds: ['pass'] } });
    expect(job.runs).toMatchObject([{ target: { model: 'tiny', adapter: 'bad' } }]);
    expect((await jobOf(await rerun({ adapter: '' }))).runs).toMatchObject([{ target: { adapter: null } }]);
  });

  it('is admitted once for one key', async () => {
    const headers = { 'idempotency-key': 'rerun-1' };
    const first = await rerun({}, source, headers);
    expect((await rerun({}, source, headers)).body).toEqual(first.body);
    expect((await rerun({ include_pass: true }, source, headers)).status).toBe(409);
  });

  it.each<[string, object, number, RegExp]>([
    ['an empty selection', { outcome_kinds: ['error'] }, 400, /outcome_kinds: no example of the job came to error/],
    ['no kinds at all', { outcome_kinds: [] }, 400, /no example/],
    ['a kind that is none', { outcome_kinds: ['skipped'] }, 400, /outcome_kinds\[0\]/],
    ['an adapter that is not there', { adapter: 'missing' }, 404, /has no adapter "missing"/],
  ])('refuses %s, and stores nothing', async (_what, body, status, message) => {
    const before = await api.rowCounts();
    const answer = await rerun(body);
    expect([answer.status, answer.body.error?.message]).toEqual([status, expect.stringMatching(message)]);
    expect(await api.rowCounts()).toEqual(before);
  });

  it('refuses a job that goes on, one that is not there, and one that does not exist for this key', async () => {
    const { body } = await api.send<RunResponse>('/v1/eval/run', { body: { suite: 'sums', model: 'tiny' } });
    expect((await rerun({}, body.job_id)).body.error?.code).toBe('eval_job_in_use');
    expect((await rerun({}, 'nonsense')).status).toBe(404);
    expect((await rerun({}, '00000000-0000-7000-8000-00000000dead')).body.error?.code).toBe('eval_job_not_found');
  });
});

describe('POST /v1/eval/jobs/{id}/replay', () => {
  it.each<[string, object, RegExp]>([
    ['a run without a record', {}, /run_index: the run has no replay record/],
    ['a run that is not there', { run_index: 2 }, /run_index: is 2, but the job has 2 runs/],
    ['fields that it does not know', { adapter: 'good' }, /unknown field "adapter"/],
  ])('refuses %s before anything is stored', async (_what, body, message) => {
    const before = await api.rowCounts();
    const answer = await api.send(`/v1/eval/jobs/${source}/replay`, { body });
    expect([answer.status, answer.body.error?.message]).toEqual([400, expect.stringMatching(message)]);
    expect(await api.rowCounts()).toEqual(before);
  });

  it('refuses a job that is not completed', async () => {
    const { body } = await api.send<RunResponse>('/v1/eval/run', { body: { suite: 'sums', model: 'tiny' } });
    const answer = await api.send(`/v1/eval/jobs/${body.job_id}/replay`, { body: {} });
    expect([answer.status, answer.body.error?.message]).toEqual([400, expect.stringContaining('the job is queued')]);
    const record = await api.send(`/v1/eval/jobs/${body.job_id}/replay-record`);
    expect([record.status, record.body.error?.code]).toEqual([400, 'eval_invalid_request']);
  });
});
