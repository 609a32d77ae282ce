import { createApiKey, DEFAULT_PROJECT_ID } from '@kiln/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('authentication', () => {
  it.each([
    ['no key', {}],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['an unknown key', { authorization: 'Bearer kiln_unknown' }],
    ['an empty key', { authorization: 'Bearer ' }],
  ])('%s is 401 with a challenge', async (_name, headers) => {
    const answer = await api.send('/v1/eval/suites', { key: null, headers: headers as Record<string, string> });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } }, headers: { 'www-authenticate': 'Bearer' } });
    expect(answer.body.error?.hint).toBeTruthy();
  });

  it('refuses before the body is read', async () => {
    const answer = await api.send('/v1/eval/run', { key: null, body: '{"not json', type: 'application/json' });
    expect(answer.status).toBe(401);
  });

  it('refuses a key without the route’s scope, and says which it needs', async () => {
    const judge = await api.makeKey(['eval:read', 'eval:write']);
    expect((await api.send('/v1/eval/jobs', { key: judge.token })).status).toBe(200);
    const answer = await api.send('/v1/eval/run', { key: judge.token, body: { suite: 'x' } });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect(answer.body.error?.message).toContain('eval:run');
    expect(answer.body.error?.hint).toContain('eval:read, eval:write');
  });

  it('refuses a revoked key at once, and an expired one', async () => {
    const { id, token } = await api.makeKey(['eval:read']);
    expect((await api.send('/v1/models', { key: token })).status).toBe(200);
    expect((await api.send(`/v1/keys/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await api.send('/v1/models', { key: token })).status).toBe(401);

    const expired = await createApiKey(
      api.database,
      { projectId: DEFAULT_PROJECT_ID, name: 'expired', scopes: ['eval:read'], expiresAt: new Date(Date.now() - 1000) },
      { actor: 'operator', source: 'test' },
    );
    expect((await api.send('/v1/models', { key: expired.token })).status).toBe(401);
  });

  it('keeps projects apart', async () => {
    const projectId = '00000000-0000-7000-8000-0000000000ff';
    await api.database.query(`INSERT INTO projects (id, name) VALUES ($1, 'other')`, [projectId]);
    const { token } = await api.makeKey(['eval:read', 'ops'], projectId);
    const answer = await api.send<{ keys: { name: string }[] }>('/v1/keys', { key: token });
    expect(answer.body.keys).toHaveLength(1);
  });
});
