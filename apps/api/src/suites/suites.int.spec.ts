import { type RegisterSuiteResponse, type SuiteList, type SuiteView } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';
import { additions, jsonl } from './suite.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const register = (body: unknown, query = '', type?: string) =>
  api.send<RegisterSuiteResponse>(`/v1/eval/suites${query}`, { method: 'POST', body, ...(type ? { type } : {}) });

describe('registering', () => {
  it('stores a version and answers its summary', async () => {
    const { status, body } = await register(additions('first'));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'created',
        suite: {
          name: 'first',
          num_examples: 3,
          completions_per_example: 1,
          aggregation: { kind: 'single' },
          schema_version: 2,
          default_scorer_kind: 'exact_match',
          tags: { even: 2, odd: 1 },
          version: 1,
        },
      },
    });
    expect(body.suite.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    const audit = await api.database.query(`SELECT actor, source, action, subject FROM audit_log WHERE action = 'suite.register'`);
    expect(audit).toEqual([{ actor: 'tester', source: 'rest', action: 'suite.register', subject: 'first' }]);
  });

  it('gives one hash to the same suite as JSON, YAML and JSONL', async () => {
    const suite = additions('formats');
    const yaml = `name: formats\nschema_version: 2\ndefault_scorer: {kind: exact_match}\nexamples:\n${suite.examples
      .map((example) => `  - ${JSON.stringify(example)}`)
      .join('\n')}`;
    const hashes = [
      (await register(suite)).body.suite.hash,
      (await register(yaml, '?force=true', 'application/yaml')).body.suite.hash,
      (await register(jsonl(suite), '?force=true', 'application/jsonl')).body.suite.hash,
      (await register(`${jsonl(suite)}\n\n`, '?force=true', 'application/x-ndjson')).body.suite.hash,
    ];
    expect(new Set(hashes).size).toBe(1);
  });

  it('refuses a name that is taken, unless forced; then it is a new version', async () => {
    await register(additions('twice'));
    const taken = await register(additions('twice', 4));
    expect(taken).toMatchObject({ status: 409, body: { error: { code: 'eval_suite_exists' } } });
    expect(taken.body.error?.hint).toContain('force=true');
    const streamed = await register(jsonl(additions('twice', 4)), '', 'application/jsonl');
    expect(streamed).toMatchObject({ status: 409, body: { error: { code: 'eval_suite_exists' } } });
    const forced = await register(additions('twice', 4), '?force=true');
    expect(forced.body).toMatchObject({ status: 'overwritten', suite: { num_examples: 4, version: 2 } });
  });

  it('makes no new version of the same content, also when it comes back later', async () => {
    const first = await register(additions('same'));
    expect((await register(additions('same'))).body.error?.message).toContain('exactly this content');
    expect((await register(additions('same'), '?force=true')).body.suite.version).toBe(1);
    await register(additions('same', 5), '?force=true');
    const back = await register(additions('same'), '?force=true');
    expect(back.body.suite).toEqual(first.body.suite);
    expect((await api.send<SuiteView>('/v1/eval/suites/same')).body.examples).toHaveLength(3);
  });

  it('stores each example once, however many versions and suites hold it', async () => {
    const count = async () => (await api.rowCounts())['examples'];
    await register(additions('shared-a', 50));
    const before = await count();
    await register(additions('shared-b', 50));
    await register(additions('shared-a', 51), '?force=true');
    expect(await count()).toBe((before ?? 0) + 1);
  });

  it('derives ids where none are written', async () => {
    const suite = additions('derived', 1, { examples: [{ messages: [{ role: 'user', content: '47 + 138?' }], target: '185' }] });
    await register(suite);
    expect((await api.send<SuiteView>('/v1/eval/suites/derived')).body.examples[0]?.id).toBe('0f541589f4750d67');
  });

  it('keeps every field of an example, strange keys and texts too', async () => {
    const example = {
      id: '__proto__',
      messages: [{ role: 'user' as const, content: 'día 🎲\t"q"' }],
      target: '',
      aliases: ['1', ''],
      tags: ['constructor'],
      weight: 0.1,
      metadata: JSON.parse('{"__proto__":{"a":1},"constructor":"c","n":1e21,"deep":[null,{"k":-0.5}]}') as Record<string, never>,
      scorer: { kind: 'contains' as const, phrases: ['x'] },
      generation: { temperature: 0.7, seed: '18446744073709551615', thinking_budget_tokens: null },
      tools: [],
      split: 'test',
      category: 'c',
      notes: 'n',
      pinned_history: [{ role: 'assistant' as const, content: 'before' }],
      cluster: 'k',
      source: { dataset: 'd', row: 7 },
      reference: { answer: 42 },
    };
    await register(additions('whole', 1, { examples: [example] }));
    const { text } = await api.send('/v1/eval/suites/whole');
    const stored = (JSON.parse(text) as { examples: [Record<string, unknown>] }).examples[0];
    expect(stored).toMatchObject({
      ...example,
      metadata: expect.anything(),
      scorer: expect.objectContaining(example.scorer),
      generation: expect.objectContaining(example.generation),
    });
    expect(JSON.stringify((stored['metadata'] as Record<string, unknown>)['deep'])).toBe('[null,{"k":-0.5}]');
    expect(Object.keys(stored['metadata'] as object).toSorted()).toEqual(['__proto__', 'constructor', 'deep', 'n']);
  });

  it('lets only one of many at once create a name', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => register(additions('race', n + 2))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  it('survives registrations with common content in other orders', async () => {
    const forward = additions('forward', 1500);
    const backward = { ...additions('backward', 1500), examples: forward.examples.toReversed() };
    const answers = await Promise.all([
      register(forward),
      register(backward),
      register(jsonl({ ...forward, name: 'third' }), '', 'application/jsonl'),
    ]);
    const errors = api.logLines.filter((line) => /"level":(?:"error"|50)/.test(line));
    expect(
      answers.map(({ status }) => status),
      errors.join('\n'),
    ).toEqual([200, 200, 200]);
  });
});

describe('reading', () => {
  it('lists newest versions by name, in pages', async () => {
    const names: string[] = [];
    for (let url: string | null = '/v1/eval/suites?limit=3'; url !== null;) {
      const { body }: { body: SuiteList } = await api.send<SuiteList>(url);
      names.push(...body.suites.map(({ name }) => name));
      url = body.next_cursor === null ? null : `/v1/eval/suites?limit=3&cursor=${body.next_cursor}`;
    }
    expect(names).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('first');
  });

  it('gives back what registering reads, as JSON and as JSONL', async () => {
    const { body: view } = await api.send<SuiteView>('/v1/eval/suites/forward');
    expect(view).toMatchObject({ name: 'forward', summary: { num_examples: 1500 } });
    expect(view.examples.map(({ id }) => id)).toEqual(additions('forward', 1500).examples.map(({ id }) => id));
    const { summary, ...suite } = view;
    expect((await register(suite, '?force=true')).body.suite).toEqual(summary);

    const lines = await api.send('/v1/eval/suites/forward?format=jsonl');
    expect(lines.headers['content-type']).toBe('application/jsonl');
    expect((await register(lines.text, '?force=true', 'application/jsonl')).body.suite).toEqual(summary);
  });

  it('gives an older version by its hash', async () => {
    const [first] = [await register(additions('older'))];
    await register(additions('older', 9), '?force=true');
    const { body } = await api.send<SuiteView>(`/v1/eval/suites/older?hash=${first?.body.suite.hash}`);
    expect(body.summary).toMatchObject({ version: 1, num_examples: 3 });
    const unknown = await api.send('/v1/eval/suites/older?hash=sha256:0');
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'eval_suite_not_found' } } });
  });

  it('names what is there when a name is not', async () => {
    const answer = await api.send('/v1/eval/suites/nope');
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'eval_suite_not_found' } } });
    expect(answer.body.error?.hint).toContain('first');
  });
});

describe('deleting', () => {
  it('frees the name and keeps the versions', async () => {
    await register(additions('gone'));
    const versions = (await api.rowCounts())['suite_versions'];
    expect(await api.send('/v1/eval/suites/gone', { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { name: 'gone', status: 'deleted' },
    });
    expect((await api.send('/v1/eval/suites/gone')).status).toBe(404);
    expect((await api.send('/v1/eval/suites/gone', { method: 'DELETE' })).status).toBe(404);
    expect((await api.rowCounts())['suite_versions']).toBe(versions);
    expect((await register(additions('gone', 1))).body).toMatchObject({ status: 'created', suite: { version: 1 } });
  });
});
