import { type RunResponse } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additions } from '../suites/suite.fixture.js';
import { startApi, type TestApi } from '../test-api.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  const open = { kind: 'regex', pattern: '.' } as const;
  const suite = additions('mixed', 2_500, { default_scorer: open });
  const without = suite.examples.map((example, n) => (n === 0 || n === 2_499 ? { ...example, target: null } : example));
  await api.send('/v1/eval/suites', { body: { ...suite, examples: without } });
  await api.send('/v1/eval/suites', { body: additions('sums', 3) });
});
afterAll(() => api.close());

/** A job over the suite that has ended, without any answers. */
async function ended(suite: string): Promise<string> {
  const { body } = await api.send<RunResponse>('/v1/eval/run', { body: { suite } });
  await api.database.query(`UPDATE jobs SET state = 'completed', finished_at = now() WHERE id = $1`, [body.job_id]);
  return body.job_id;
}

const rescore = async (suite: string, scorers: object[]) =>
  api.send(`/v1/eval/jobs/${await ended(suite)}/rescore`, { body: { scorers: scorers.map((scorer) => ({ scorer })) } });

describe('POST /v1/eval/jobs/{id}/rescore', () => {
  it('refuses a scorer that cannot grade the examples, and names the first of them', async () => {
    const before = await api.rowCounts();
    const { status, body } = await rescore('mixed', [{ kind: 'regex', pattern: 'x' }, { kind: 'exact_match' }]);
    expect([status, body.error?.code]).toEqual([400, 'eval_invalid_request']);
    expect(body.error?.message).toBe(
      'scorers[1]: cannot grade the example "add-0": examples[0].target: is required by the scorer exact_match',
    );
    expect(body.error?.hint).toBeTruthy();
    // The job that was made to be scored again is all that was stored.
    expect((await api.rowCounts())['jobs']).toBe(Number(before['jobs']) + 1);
  });

  it('refuses targets that the scorer cannot read', async () => {
    const { status, body } = await rescore('sums', [{ kind: 'multiple_choice', choices: ['1', '2'] }]);
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('cannot grade the example "add-2": examples[2].target')]);
  });

  it('takes scorers that can grade them all', async () => {
    expect((await rescore('mixed', [{ kind: 'contains', phrases: ['1'] }])).status).toBe(200);
    expect((await rescore('sums', [{ kind: 'exact_match' }, { kind: 'numeric_tolerance' }])).status).toBe(200);
  });
});
