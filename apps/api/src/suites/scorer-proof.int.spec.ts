import { type ProveSuiteResponse, type RegisterSuiteResponse, type SuiteList, type SuiteView } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';
import { additions, jsonl } from './suite.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Reads "-5" as 5: the pattern has no sign. */
const BROKEN = { default_scorer: { kind: 'regex', pattern: '(\\d+)', capture_group: 1 } } as const;
const GATE = { adapters: ['', 'good'], gate: { policy: 'paired_wilson_v1', min_accuracy: 0.1 } };

const register = (body: unknown, query = '', type?: string) =>
  api.send<RegisterSuiteResponse>(`/v1/eval/suites${query}`, { method: 'POST', body, ...(type ? { type } : {}) });
const compare = (suite: string, rest: object) => api.send('/v1/eval/compare', { body: { suite, ...rest } });
const prove = (name: string, query = '') => api.send<ProveSuiteResponse>(`/v1/eval/suites/${name}/prove${query}`, { method: 'POST' });

describe('the proof of a suite’s scorers', () => {
  it('is made at registration, the same for a document and for lines', async () => {
    const whole = await register(additions('proved', 40));
    const lines = await register(jsonl(additions('proved', 40)), '?force=true', 'application/jsonl');
    expect(whole.body.scorer_proof).toMatchObject({ examples: 40, examples_tried: 40, false_accepts: 0, false_rejects: 0 });
    expect(whole.body.scorer_proof.groups).toMatchObject([
      { scorer_kind: 'exact_match', scorer_identity: expect.stringMatching(/^sha256:/), status: 'proved', first_example_id: 'add-0' },
    ]);
    expect(lines.body.scorer_proof).toEqual(whole.body.scorer_proof);
  });

  it('is shown with the suite, without its table in lists', async () => {
    const { body } = await register(additions('shown', 4, BROKEN));
    const { groups, ...counts } = body.scorer_proof;
    expect(counts.false_accepts).toBeGreaterThan(0);
    expect(body.suite).toMatchObject({ scorer_proof: counts, scorer_waiver: null });
    const listed = (await api.send<SuiteList>('/v1/eval/suites')).body.suites.find(({ name }) => name === 'shown');
    expect(listed).toEqual(body.suite);
    const view = (await api.send<SuiteView>('/v1/eval/suites/shown')).body;
    expect(view.scorer_proof).toEqual({ ...counts, groups });
    expect(view.summary).toEqual(body.suite);
  });

  it('is made again on request, from the stored examples, also of an older version', async () => {
    const { body } = await register(additions('again', 1200, BROKEN));
    await register(additions('again', 3), '?force=true');
    expect((await prove('again')).body).toMatchObject({
      name: 'again',
      scorer_waiver: null,
      scorer_proof: { examples: 3, false_accepts: 0 },
    });
    const older = await prove('again', `?hash=${body.suite.hash}`);
    expect(older.body).toEqual({ name: 'again', hash: body.suite.hash, scorer_waiver: null, scorer_proof: body.scorer_proof });
    expect(body.scorer_proof).toMatchObject({ examples: 1200, examples_tried: 300 });
    expect((await prove('nope')).body.error?.code).toBe('eval_suite_not_found');
  });

  it('needs no right to run anything', async () => {
    await register(additions('readable', 2));
    const { token: key } = await api.makeKey(['eval:read']);
    const answer = await api.send('/v1/eval/suites/readable/prove', { method: 'POST', key });
    expect(answer.status).toBe(200);
  });
});

describe('a gate', () => {
  it('is refused for a suite whose scorer accepts wrong answers, with the worst of them and what to do', async () => {
    await register(additions('broken', 4, BROKEN));
    const before = await api.rowCounts();
    const refused = await compare('broken', GATE);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'eval_invalid_request' } } });
    expect(refused.body.error?.message).toBe(
      'gate: the scorer regex accepts wrong answers: 4 of 4 of the kind sign_flip passed, such as "-1" for the example "add-0"',
    );
    expect(refused.body.error?.hint).toContain('kiln eval prove-scorers --suite broken');
    expect(refused.body.error?.hint).toContain('scorer_waiver');
    expect(await api.rowCounts()).toEqual(before);
  });

  it('is not needed to compare', async () => {
    await register(additions('compared', 4, BROKEN));
    expect((await compare('compared', { adapters: ['', 'good'] })).status).toBe(200);
  });

  it('is accepted when the suite says why it may; the job shows the reason', async () => {
    const waiver = 'Answers are counts: they cannot be negative.';
    await register(additions('waived', 4, { ...BROKEN, scorer_waiver: waiver }));
    const { status, body } = await compare('waived', GATE);
    expect(status).toBe(200);
    const job = await api.send(`/v1/eval/jobs/${String(body['job_id'])}`);
    expect(job.body).toMatchObject({ suite: { name: 'waived', scorer_waiver: waiver } });
    expect((await prove('waived')).body.scorer_waiver).toBe(waiver);
    expect((await register(additions('blank', 4, { ...BROKEN, scorer_waiver: ' ' }))).body.error?.message).toContain('scorer_waiver');
  });

  it('proves a version first that was registered before there were proofs, or under older ones', async () => {
    await register(additions('old', 4, BROKEN));
    for (const stored of [
      null,
      JSON.stringify({ version: 0, examples: 0, examples_tried: 0, false_accepts: 0, false_rejects: 0, groups: [] }),
    ]) {
      await api.database.query(`UPDATE suite_versions SET scorer_proof = $1 WHERE header->>'name' = 'old'`, [stored]);
      expect((await compare('old', GATE)).status).toBe(400);
      const [row] = await api.database.query<{ accepts: number }>(
        `SELECT (scorer_proof->>'false_accepts')::int AS accepts FROM suite_versions WHERE header->>'name' = 'old'`,
      );
      expect(row?.accepts).toBeGreaterThan(0);
    }
  });
});
