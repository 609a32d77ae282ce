import { type SuiteView } from '@kiln/contracts';
import { openDatabase } from '@kiln/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';
import { installBuiltInSuites, keepInstallingBuiltInSuites } from './install-built-in-suites.js';
import { additions } from './suite.fixture.js';

const NAME = 'qwen3.5-agentic-core';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const start = (database = api.database) => installBuiltInSuites({ database, logger });
const messages: string[] = [];
const note = (_: unknown, message: string): void => void messages.push(message);
const logger = { info: note, warn: note } as unknown as Parameters<typeof installBuiltInSuites>[0]['logger'];
const stored = async () => (await api.send<SuiteView>(`/v1/eval/suites/${NAME}`)).body;

describe('the built-in suites', () => {
  it('are installed once by any number of servers that start at once', async () => {
    expect((await Promise.all([start(), start(), start()])).flat()).toEqual([NAME]);
    expect(await start()).toEqual([]);
    const { examples, summary } = await stored();
    expect(examples).toHaveLength(24);
    expect(summary).toMatchObject({ num_examples: 24, version: 1 });
    const audit = await api.database.query(`SELECT actor, source, action FROM audit_log WHERE subject = $1`, [NAME]);
    expect(audit).toEqual([{ actor: 'api', source: 'start', action: 'suite.register' }]);
  });

  it('come back after they were deleted, at the next start', async () => {
    await api.send(`/v1/eval/suites/${NAME}`, { method: 'DELETE' });
    expect(await start()).toEqual([NAME]);
  });

  it('never replace a suite of that name', async () => {
    await api.send(`/v1/eval/suites/${NAME}`, { method: 'DELETE' });
    await api.send('/v1/eval/suites', { body: additions(NAME) });
    expect(await start()).toEqual([]);
    expect((await stored()).examples).toHaveLength(3);
  });

  it('are installed as soon as the database can be used, without keeping the server waiting', async () => {
    await api.send(`/v1/eval/suites/${NAME}`, { method: 'DELETE' });
    const closed = openDatabase('postgresql://localhost:1/none', { max: 1, onIdleError: () => undefined });
    let usable = false;
    const late = new Proxy(api.database, { get: (open, key) => Reflect.get(usable ? open : closed, key) as unknown });
    const stopping = new AbortController();
    await keepInstallingBuiltInSuites({ database: late, logger }, stopping.signal, 20);
    expect(messages.at(-1)).toBe('the built-in suites are not installed yet');
    usable = true;
    await expect.poll(async () => (await stored()).examples?.length, { timeout: 20_000 }).toBe(24);
    stopping.abort();
    await closed.close();
  });
});
