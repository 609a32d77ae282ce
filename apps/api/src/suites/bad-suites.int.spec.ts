import { type SuiteInput } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';
import { additions, jsonl } from './suite.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ eval: { max_suite_examples: 20, max_example_bytes: 4096 }, body_limit_bytes: 100_000 });
});
afterAll(() => api.close());

const user = (content: string) => [{ role: 'user', content }];

/** A suite of three whose second example is replaced. */
function withSecond(example: object, more: object = {}): SuiteInput {
  const suite = additions('bad');
  return { ...suite, ...more, examples: suite.examples.map((each, n) => (n === 1 ? example : each)) as SuiteInput['examples'] };
}

/** Each level holds the one before ten times: a few lines that mean a billion items. */
function aliasBomb(): string {
  const level = (n: number): string => `l${n}: &l${n} [${Array.from({ length: 10 }, () => `*l${n - 1}`).join(', ')}]`;
  return ['l0: &l0 [x]', ...Array.from({ length: 9 }, (_, n) => level(n + 1))].join('\n');
}

const sampled = { temperature: 1 };

const bad: [string, SuiteInput, string, string?][] = [
  ['an empty id', withSecond({ id: '', messages: user('x'), target: '1' }), 'id'],
  ['a duplicate id', withSecond({ id: 'add-0', messages: user('x'), target: '1' }), 'id'],
  ['a duplicate derived id', { ...additions('bad'), examples: [0, 1].map(() => ({ messages: user('x') as never, target: '1' })) }, 'id'],
  [
    'n that differs from K',
    withSecond(
      { id: 'x', messages: user('x'), target: '1', generation: { n: 3 } },
      { aggregation: { kind: 'mean_at_k', k: 2 }, generation: { n: 2, ...sampled } },
    ),
    'generation.n',
  ],
  ['a suite-wide n that differs from K', additions('bad', 2, { aggregation: { kind: 'pass_at_k', k: 4 } }), 'generation.n'],
  ['an even majority', additions('bad', 2, { aggregation: { kind: 'majority_at_k', k: 4 }, generation: { n: 4 } }), 'aggregation.k'],
  ['an unknown aggregation field', additions('bad', 2, { aggregation: { kind: 'single', kk: 1 } as never }), 'aggregation'],
  ['an unknown scorer', withSecond({ id: 'x', messages: user('x'), target: '1', scorer: { kind: 'vibes' } }), 'scorer'],
  ['a scorer that is not served', withSecond({ id: 'x', messages: user('x'), target: '1', scorer: { kind: 'llm_judge' } }), 'scorer'],
  [
    'a target that the scorer cannot read',
    additions('bad', 2, {
      default_scorer: { kind: 'numeric_tolerance', atol: 0, rtol: 0 },
      examples: [{ id: 'x', messages: user('x') as never, target: 'many' }],
    }),
    'target',
  ],
  ['a weight that is not a number', withSecond({ id: 'x', messages: user('x'), target: '1', weight: 'heavy' }), 'weight'],
  ['a negative weight', withSecond({ id: 'x', messages: user('x'), target: '1', weight: -1 }), 'weight'],
  ['a seed above 2^64−1', additions('bad', 2, { generation: { seed: '18446744073709551616' } }), 'generation.seed'],
  ['a seed that JSON rounds', additions('bad', 2, { generation: { seed: 2 ** 60 } }), 'generation.seed'],
  ['NUL in a text', withSecond({ id: 'x', messages: user('a\u0000b'), target: '1' }), 'messages[0].content'],
  ['half a surrogate pair', withSecond({ id: 'x', messages: user('\ud800'), target: '1' }), 'messages[0].content'],
  ['NUL in metadata', withSecond({ id: 'x', messages: user('x'), target: '1', metadata: { a: ['\u0000'] } }), 'metadata.a[0]'],
  ['no messages', withSecond({ id: 'x', messages: [], target: '1' }), 'messages'],
  ['a version that is not known', additions('bad', 2, { schema_version: 3 as never }), 'schema_version'],
  ['several completions in version 1', additions('bad', 2, { schema_version: 1, generation: { n: 2 } }), 'generation.n'],
  ['a name with a slash', additions('a/b'), 'name', 'invalid_suite_name'],
  ['a blank name', additions(' '), 'name', 'invalid_suite_name'],
  ['more examples than the limit', additions('bad', 21), 'examples', 'payload_too_large'],
];

async function expectRefused(send: () => ReturnType<TestApi['send']>, code: string, field: string): Promise<string> {
  const before = await api.rowCounts();
  const answer = await send();
  expect(answer.body.error?.code).toBe(code);
  expect(answer.body.error?.message).toContain(field);
  expect(answer.body.error?.hint).toBeTruthy();
  expect(await api.rowCounts()).toEqual(before);
  return answer.body.error?.message ?? '';
}

describe('a suite with a mistake stores nothing', () => {
  it.each(bad)('%s, as JSON', async (_name, suite, field, code = 'eval_invalid_request') => {
    await expectRefused(() => api.send('/v1/eval/suites', { body: suite }), code, field);
  });

  it.each(bad)('%s, as a stream', async (_name, suite, field, code = 'eval_invalid_request') => {
    await expectRefused(() => api.send('/v1/eval/suites', { body: jsonl(suite), type: 'application/jsonl' }), code, field);
  });

  it.each(bad.filter(([, { name, examples }]) => name === 'bad' && examples.length === 3))(
    '%s, as a stream, names the line',
    async (_name, suite) => {
      const { body } = await api.send('/v1/eval/suites', { body: jsonl(suite), type: 'application/jsonl' });
      expect(body.error?.message).toMatch(/line 3/);
    },
  );

  it.each([
    ['not JSON', '{"name":', 'application/json', 'JSON'],
    ['an array', '[]', 'application/json', 'suite'],
    ['nothing', '', 'application/json', 'JSON'],
    ['bad YAML', 'name: [', 'application/yaml', 'YAML'],
    ['a bomb of YAML aliases', aliasBomb(), 'application/yaml', 'YAML'],
    ['no lines', '\n\n', 'application/jsonl', 'lines'],
    ['a header alone', jsonl({ ...additions('bad'), examples: [] }), 'application/jsonl', 'examples'],
    ['a header with examples', JSON.stringify(additions('bad')), 'application/jsonl', 'examples'],
    ['a bad line', `${jsonl(additions('bad'))}\n{"id":`, 'application/jsonl', 'line 5'],
    ['a line that is too long', `${jsonl(additions('bad'))}\n{"notes":"${'x'.repeat(5000)}"}`, 'application/jsonl', 'line 5'],
  ])('%s', async (_name, body, type, word) => {
    await expectRefused(() => api.send('/v1/eval/suites', { body, type, method: 'POST' }), 'eval_invalid_request', word);
  });

  it('a stream that is not UTF-8 names the line', async () => {
    const body = Buffer.concat([Buffer.from(`${jsonl(additions('bad', 1))}\n`), Buffer.from([0x22, 0xff, 0x22])]);
    await expectRefused(
      () => api.send('/v1/eval/suites', { body, type: 'application/jsonl' }),
      'eval_invalid_request',
      'line 3: not valid UTF-8',
    );
  });

  it.each(['application/json', 'application/yaml'])('a document that is not UTF-8, as %s', async (type) => {
    const body = Buffer.from(JSON.stringify(additions('bad')).replace('+', '\u00e9'), 'latin1');
    await expectRefused(() => api.send('/v1/eval/suites', { body, type }), 'eval_invalid_request', 'not valid UTF-8');
  });

  it('a body above the limit is told how to stream', async () => {
    const before = await api.rowCounts();
    const { status, body } = await api.send('/v1/eval/suites', { body: ' '.repeat(100_001), type: 'application/json' });
    expect([status, body.error?.code]).toEqual([413, 'payload_too_large']);
    expect(body.error?.hint).toContain('application/jsonl');
    expect(await api.rowCounts()).toEqual(before);
  });

  it('a body in another media type is told which are read', async () => {
    const { status, body } = await api.send('/v1/eval/suites', { body: 'name=x', type: 'application/x-www-form-urlencoded' });
    expect([status, body.error?.code]).toEqual([415, 'unsupported_media_type']);
    expect(body.error?.hint).toContain('application/json');
  });

  it('no body at all', async () => {
    const { status, body } = await api.send('/v1/eval/suites', { method: 'POST' });
    expect([status, body.error?.code]).toEqual([400, 'eval_invalid_request']);
  });

  it('force that is neither true nor false', async () => {
    await expectRefused(() => api.send('/v1/eval/suites?force=maybe', { body: additions('bad') }), 'eval_invalid_request', 'force');
  });
});
