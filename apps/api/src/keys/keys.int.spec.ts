import { type CreateKeyResponse, type KeyList } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('keys', () => {
  it('show their secret once, and work', async () => {
    const made = await api.send<CreateKeyResponse>('/v1/keys', { body: { name: 'ci', scopes: ['eval:read'] } });
    expect(made.status).toBe(201);
    const { key, secret } = made.body;
    expect(secret.startsWith(key.prefix)).toBe(true);
    expect((await api.send('/v1/models', { key: secret })).status).toBe(200);
    const stored = await api.database.query<{ row: string }>(`SELECT api_keys::text AS row FROM api_keys`);
    expect(stored.map(({ row }) => row).join()).not.toContain(secret);
    expect((await api.send('/v1/keys')).text).not.toContain(secret);
  });

  it('are listed in pages, revoked ones too', async () => {
    for (let n = 0; n < 5; n += 1) await api.makeKey(['eval:read']);
    const names: string[] = [];
    for (let url: string | null = '/v1/keys?limit=2'; url !== null;) {
      const { body }: { body: KeyList } = await api.send<KeyList>(url);
      names.push(...body.keys.map(({ id }) => id));
      url = body.next_cursor === null ? null : `/v1/keys?limit=2&cursor=${body.next_cursor}`;
    }
    const [{ count } = { count: 0 }] = await api.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM api_keys`);
    expect(new Set(names).size).toBe(count);
  });

  it('are revoked once, whoever repeats it', async () => {
    const { id } = await api.makeKey(['eval:read']);
    const first = await api.send(`/v1/keys/${id}`, { method: 'DELETE' });
    const second = await api.send(`/v1/keys/${id}`, { method: 'DELETE' });
    expect(first.body).toMatchObject({ id, revoked_at: expect.any(String) });
    expect(second.body).toEqual(first.body);
    const audit = await api.database.query(`SELECT actor, source FROM audit_log WHERE action = 'key.revoke' AND subject = $1`, [id]);
    expect(audit).toEqual([{ actor: 'tester', source: 'rest' }]);
  });

  it.each(['00000000-0000-7000-8000-000000000000', 'nonsense', "'; DROP TABLE api_keys"])('are not found under %s', async (id) => {
    const answer = await api.send(`/v1/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'key_not_found' } } });
  });

  it.each([
    ['an unknown scope', { name: 'a', scopes: ['admin'] }, 'scopes[0]'],
    ['no scope', { name: 'a', scopes: [] }, 'scopes'],
    ['no name', { scopes: ['ops'] }, 'name'],
    ['a name that is taken', { name: 'tester', scopes: ['ops'] }, 'name'],
    ['a name with NUL', { name: 'a\u0000', scopes: ['ops'] }, 'name'],
    ['a bad date', { name: 'a', scopes: ['ops'], expires_at: 'tomorrow' }, 'expires_at'],
  ])('with %s are refused, and nothing is stored', async (_name, body, field) => {
    const before = await api.rowCounts();
    const answer = await api.send('/v1/keys', { body });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'eval_invalid_request' } } });
    expect(answer.body.error?.message).toContain(`${field}:`);
    expect(await api.rowCounts()).toEqual(before);
  });
});
