import { type AdapterList, type ModelList } from '@kiln/contracts';
import { DEFAULT_PROJECT_ID, heartbeatWorker } from '@kiln/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishTestModels, startApi, type TestApi } from '../test-api.fixture.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('models', () => {
  it('are listed as live workers publish them', async () => {
    const { body } = await api.send<ModelList>('/v1/models');
    expect(body.models).toMatchObject([
      { model: 'echo', engine: 'echo', num_adapters: 0, active_adapter: null, is_default: false, pools: ['cpu'] },
      { model: 'tiny', engine: 'onnx', num_adapters: 2, active_adapter: null, is_default: true, pools: ['cpu'] },
    ]);
    expect(body.next_cursor).toBeNull();
  });

  it('are paged by name', async () => {
    const first = await api.send<ModelList>('/v1/models?limit=1');
    const second = await api.send<ModelList>(`/v1/models?limit=1&cursor=${first.body.next_cursor}`);
    expect([first, second].map(({ body }) => body.models[0]?.model)).toEqual(['echo', 'tiny']);
    expect(second.body.next_cursor).toBeNull();
  });

  it('show the active adapter', async () => {
    await api.database.query(`INSERT INTO active_adapters (project_id, model_name, adapter, set_by) VALUES ($1, 'tiny', 'good', 'test')`, [
      DEFAULT_PROJECT_ID,
    ]);
    expect((await api.send<ModelList>('/v1/models')).body.models[1]).toMatchObject({ active_adapter: 'good' });
    const { body } = await api.send<AdapterList>('/v1/adapters?model=tiny');
    expect(body.adapters.map(({ adapter, active }) => [adapter, active])).toEqual([
      ['bad', false],
      ['good', true],
    ]);
  });

  it('list adapters in pages', async () => {
    const first = await api.send<AdapterList>('/v1/adapters?limit=1');
    const second = await api.send<AdapterList>(`/v1/adapters?limit=1&cursor=${first.body.next_cursor}`);
    expect([first, second].map(({ body }) => body.adapters[0]?.adapter)).toEqual(['bad', 'good']);
    expect((await api.send<AdapterList>('/v1/adapters?model=nothing')).body.adapters).toEqual([]);
  });

  it('are scanned again when that is asked for', async () => {
    const worker = await publishTestModels(api.database);
    const before = await heartbeatWorker(api.database, worker);
    const { status, body } = await api.send('/v1/models/scan', { method: 'POST' });
    expect({ status, body }).toEqual({ status: 202, body: { status: 'requested', workers: 2 } });
    expect(await heartbeatWorker(api.database, worker)).not.toEqual(before);
    expect(await api.database.query(`SELECT actor FROM audit_log WHERE action = 'models.scan'`)).toEqual([{ actor: 'tester' }]);
  });

  it('vanish from the list with their last worker', async () => {
    await api.database.query(`UPDATE workers SET heartbeat_at = now() - interval '1 hour'`);
    expect((await api.send<ModelList>('/v1/models')).body.models).toEqual([]);
    expect((await api.send<AdapterList>('/v1/adapters')).body.adapters).toEqual([]);
  });

  it.each(['/v1/models?limit=0', '/v1/models?limit=x', '/v1/models?limit=1001', '/v1/models?cursor=abc', '/v1/adapters?cursor=W10'])(
    '%s is refused by name',
    async (url) => {
      const answer = await api.send(url);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'eval_invalid_request' } } });
      expect(answer.body.error?.message).toMatch(/^(limit|cursor): /);
    },
  );
});
