import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additions } from '../suites/suite.fixture.js';
import { startApi, type TestApi } from '../test-api.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ eval: { max_queued_jobs: 2, max_tracked_jobs: 3, max_job_samples: 100 } });
  await api.send('/v1/eval/suites', { body: additions('sums', 20) });
  await api.send('/v1/eval/suites', {
    body: additions('k3', 2, { aggregation: { kind: 'majority_at_k', k: 3 }, generation: { n: 3, temperature: 1 } }),
  });
});
afterAll(() => api.close());

const endpoint = { kind: 'endpoint', base_url: 'http://localhost:9/v1', model: 'm', pricing: { kind: 'unknown' } };

async function expectRefused(route: string, body: unknown, status: number, code: string, word: string): Promise<void> {
  const before = await api.rowCounts();
  const answer = await api.send(`/v1/eval/${route}`, { body });
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  expect(`${answer.body.error?.message}\n${answer.body.error?.hint}`).toContain(word);
  expect(answer.body.error?.hint).toBeTruthy();
  expect(await api.rowCounts()).toEqual(before);
}

describe('a submission that cannot be run stores nothing', () => {
  it.each<[string, string, object, number, string, string]>([
    ['a suite that does not exist', 'run', { suite: 'nope' }, 404, 'eval_suite_not_found', 'sums'],
    ['neither suite nor inline suite', 'run', {}, 400, 'eval_invalid_request', 'suite:'],
    ['both', 'run', { suite: 'sums', inline_suite: additions('x') }, 400, 'eval_invalid_request', 'suite:'],
    ['a model that does not exist', 'run', { suite: 'sums', model: 'tinny' }, 404, 'model_not_found', 'tiny'],
    ['an adapter that does not exist', 'run', { suite: 'sums', adapter: 'gud' }, 404, 'adapter_not_found', 'good'],
    ['an adapter of a model without any', 'run', { suite: 'sums', model: 'echo', adapter: 'x' }, 404, 'adapter_not_found', 'adapter:'],
    ['an agent', 'run', { suite: 'sums', target: { kind: 'agent', command: ['x'] } }, 400, 'target_not_served', 'target.kind'],
    [
      'a workflow',
      'compare',
      { suite: 'sums', targets: [{ kind: 'workflow', workflow: 'w' }, endpoint] },
      400,
      'target_not_served',
      'targets[0].kind',
    ],
    ['an unknown kind of target', 'run', { suite: 'sums', target: { kind: 'human' } }, 400, 'eval_invalid_request', 'target'],
    ['an unknown price without a token cap', 'run', { suite: 'sums', target: endpoint }, 400, 'eval_invalid_request', 'token_cap:'],
    [
      'Kiln’s own key for an endpoint',
      'run',
      { suite: 'sums', token_cap: 100, target: { ...endpoint, api_key_env: 'KILN_API_KEY' } },
      400,
      'eval_invalid_request',
      'target.api_key_env: KILN_API_KEY may not',
    ],
    [
      'a cloud’s secret for an endpoint of a compare',
      'compare',
      { suite: 'sums', token_cap: 100, targets: [{ kind: 'model' }, { ...endpoint, api_key_env: 'AWS_SECRET_ACCESS_KEY' }] },
      400,
      'eval_invalid_request',
      'targets[1].api_key_env:',
    ],
    ['a seed above 2^64−1', 'run', { suite: 'sums', seed: '18446744073709551616' }, 400, 'eval_invalid_request', 'seed:'],
    ['a seed that JSON rounds', 'run', { suite: 'sums', seed: 2 ** 60 }, 400, 'eval_invalid_request', 'seed:'],
    ['n that differs from K', 'run', { suite: 'k3', generation: { n: 2 } }, 400, 'eval_invalid_request', 'generation.n:'],
    ['a forgotten n', 'run', { suite: 'k3', generation: { temperature: 1 } }, 400, 'eval_invalid_request', 'generation.n:'],
    [
      'more samples than the limit',
      'compare',
      { suite: 'sums', targets: 'abcdef'.split('').map((name) => ({ kind: 'model', name })) },
      400,
      'eval_invalid_request',
      '120 samples',
    ],
    [
      'two targets of one name',
      'compare',
      { suite: 'sums', targets: [{ kind: 'model' }, { kind: 'model', adapter: '' }] },
      400,
      'eval_invalid_request',
      'targets[1]',
    ],
    ['more than eight adapters', 'compare', { suite: 'sums', adapters: 'abcdefghi'.split('') }, 400, 'eval_invalid_request', 'adapters:'],
    [
      'an adapter of a compare that does not exist',
      'compare',
      { suite: 'sums', adapters: ['', 'gud'] },
      404,
      'adapter_not_found',
      'adapters[1]:',
    ],
    [
      'a baseline that does not exist',
      'compare',
      { suite: 'sums', adapters: ['good'], baseline: 'gud' },
      404,
      'adapter_not_found',
      'baseline:',
    ],
    [
      'a gate without a candidate',
      'compare',
      { suite: 'sums', adapters: [''], gate: { min_accuracy: 0.5 } },
      400,
      'eval_invalid_request',
      'gate:',
    ],
    [
      'an unknown field of a gate',
      'compare',
      { suite: 'sums', adapters: ['', 'good'], gate: { min_accuracy: 0.5, min_acuracy: 1 } },
      400,
      'eval_invalid_request',
      'gate',
    ],
    ['a label that is an object', 'run', { suite: 'sums', labels: { a: {} } }, 400, 'eval_invalid_request', 'labels.a'],
    ['NUL in a label', 'run', { suite: 'sums', labels: { a: '\u0000' } }, 400, 'eval_invalid_request', 'labels.a'],
    ['a negative cap', 'run', { suite: 'sums', cost_cap: -1 }, 400, 'eval_invalid_request', 'cost_cap'],
    ['a concurrency of zero', 'run', { suite: 'sums', concurrency: 0 }, 400, 'eval_invalid_request', 'concurrency'],
    [
      'a bad inline suite',
      'run',
      { inline_suite: additions('x', 1, { aggregation: { kind: 'majority_at_k', k: 2 } }) },
      400,
      'eval_invalid_request',
      'inline_suite.aggregation.k',
    ],
    [
      'a duplicate id in an inline suite',
      'run',
      {
        inline_suite: {
          ...additions('x', 1),
          examples: [0, 1].map(() => ({ id: 'same', messages: [{ role: 'user', content: 'x' }], target: '1' })),
        },
      },
      400,
      'eval_invalid_request',
      'inline_suite.examples[1].id',
    ],
  ])('%s', async (_name, route, body, status, code, word) => {
    await expectRefused(route, body, status, code, word);
  });

  it('a body that is not JSON', async () => {
    const answer = await api.send('/v1/eval/run', { body: '{"suite":', type: 'application/json' });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'eval_invalid_request']);
    expect(answer.body.error?.message).toContain('not valid JSON');
  });

  it('a body in another media type', async () => {
    const answer = await api.send('/v1/eval/run', { body: 'suite: sums', type: 'application/yaml' });
    expect([answer.status, answer.body.error?.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('limits', () => {
  it('refuse what no worker serves now, and say when it was last there', async () => {
    await api.database.query(`UPDATE workers SET heartbeat_at = now() - interval '1 hour'`);
    const answer = await api.send('/v1/eval/run', { body: { suite: 'sums', model: 'tiny' } });
    expect([answer.status, answer.body.error?.code, answer.headers['retry-after']]).toEqual([503, 'eval_registry_unavailable', '5']);
    expect(answer.body.error?.hint).toContain('last published');
    const unnamed = await api.send('/v1/eval/run', { body: { suite: 'sums' } });
    expect(unnamed.body.error?.code).toBe('eval_registry_unavailable');
    await api.database.query(`UPDATE workers SET heartbeat_at = now()`);
  });

  it('refuse work while the fleet is halted', async () => {
    await api.database.query(`UPDATE control SET halted = true, reason = 'drill'`);
    await expectRefused('run', { suite: 'sums' }, 503, 'halted', 'drill');
    await api.database.query(`UPDATE control SET halted = false, reason = NULL`);
  });

  it('hold queued and unfinished jobs, also when submissions come at once', async () => {
    const submit = () => api.send('/v1/eval/run', { body: { suite: 'sums' } });
    const codes = (await Promise.all(Array.from({ length: 6 }, submit))).map(({ status, body, headers }) => [
      status,
      body.error?.code,
      headers['retry-after'],
    ]);
    expect(codes.filter(([status]) => status === 200)).toHaveLength(2);
    expect(codes.filter(([, code]) => code === 'eval_queue_full')).toHaveLength(4);
    expect(codes.find(([, code]) => code === 'eval_queue_full')?.[2]).toBe('15');

    await api.database.query(`UPDATE jobs SET state = 'running'`);
    expect((await submit()).status).toBe(200);
    await api.database.query(`UPDATE jobs SET state = 'running'`);
    const full = await submit();
    expect([full.status, full.body.error?.code, full.headers['retry-after']]).toEqual([503, 'eval_tracked_full', '15']);
  });
});
