import { createApiKey, type Database, DEFAULT_PROJECT_ID } from '@kiln/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';
import { ApiKeyVerifier } from './api-key-verifier.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The database, counting what is asked of it. */
function counting(database: Database): { database: Database; queries: () => number } {
  let queries = 0;
  const query: Database['query'] = (sql, values) => {
    queries += 1;
    return database.query(sql, values);
  };
  return { database: { ...database, query }, queries: () => queries };
}

describe('ApiKeyVerifier', () => {
  it('asks once in five seconds for a known key, and each time for an unknown one', async () => {
    let nowMs = 0;
    const { database, queries } = counting(api.database);
    const verifier = new ApiKeyVerifier(database, () => nowMs);
    for (let call = 0; call < 3; call += 1) expect(await verifier.verify(api.key)).toMatchObject({ keyName: 'tester' });
    expect(queries()).toBe(1);
    nowMs = 5_001;
    await verifier.verify(api.key);
    expect(queries()).toBe(2);
    for (let call = 0; call < 3; call += 1) expect(await verifier.verify('kiln_nope')).toBeNull();
    expect(queries()).toBe(5);
  });

  it('does not trust a key beyond its end', async () => {
    const key = { projectId: DEFAULT_PROJECT_ID, name: 'short', scopes: ['eval:read' as const], expiresAt: new Date(Date.now() + 60_000) };
    const { token } = await createApiKey(api.database, key, { actor: 'operator', source: 'test' });
    let nowMs = key.expiresAt.getTime() - 1_000;
    const { database, queries } = counting(api.database);
    const verifier = new ApiKeyVerifier(database, () => nowMs);
    await verifier.verify(token);
    nowMs += 1_001;
    await verifier.verify(token);
    expect(queries()).toBe(2);
  });

  it('notes the use of a key once a minute', async () => {
    const lastUse = async (): Promise<unknown> =>
      (await api.database.query<{ at: Date }>(`SELECT last_used_at AS at FROM api_keys WHERE name = 'tester'`))[0]?.at;
    await new ApiKeyVerifier(api.database).verify(api.key);
    const first = await lastUse();
    await new ApiKeyVerifier(api.database).verify(api.key);
    expect(first).toBeInstanceOf(Date);
    expect(await lastUse()).toEqual(first);
  });
});
