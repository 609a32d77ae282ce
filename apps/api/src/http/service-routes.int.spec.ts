import { allRoutes, routerPath } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../test-api.fixture.js';

let api: TestApi;
const served: string[] = [];

beforeAll(async () => {
  api = await startApi({}, ({ method, url }) => {
    for (const each of [method].flat()) served.push(`${each} ${url}`);
  });
});
afterAll(() => api.close());

describe('routes', () => {
  it('are exactly those of the catalogue, and the assets of the documentation page', () => {
    const catalogue = allRoutes().map((route) => `${route.method} ${routerPath(route)}`);
    const assets = served.filter((route) => / \/docs\/assets\//.test(route));
    expect(served.filter((route) => !assets.includes(route)).toSorted()).toEqual(catalogue.toSorted());
    expect(assets.length).toBeGreaterThan(0);
  });

  it('answer liveness and readiness without a key', async () => {
    expect(await api.send('/healthz', { key: null })).toMatchObject({ status: 200, body: { status: 'ok', version: '0.0.0-test' } });
    expect(await api.send('/readyz', { key: null })).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { process: 'ok', database: 'ok', migrations: 'ok' } },
    });
  });

  it('serve metrics, with requests by route template', async () => {
    const { text, headers } = await api.send('/metrics', { key: null });
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toMatch(/kiln_http_requests_total\{method="GET",route="\/healthz",status="200",service="api"\} \d/);
  });

  it('serve the OpenAPI document and a page for it whose assets are all here', async () => {
    expect(await api.send('/v1/openapi.json', { key: null })).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
    const page = await api.send('/docs', { key: null });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const assets = [...page.text.matchAll(/(?:src|href)="(docs\/assets\/[^"]+)"/g)].map((match) => match[1]);
    expect(assets).toHaveLength(4);
    for (const asset of assets) expect((await api.send(`/${asset}`, { key: null })).status).toBe(200);
  });

  it.each(['/docs/assets/index.html', '/docs/assets/swagger-ui.js.map', '/docs/assets/..%2f..%2fpackage.json'])(
    'do not serve %s',
    async (url) => {
      expect((await api.send(url, { key: null })).status).toBe(404);
    },
  );
});

describe('requests that fit no route', () => {
  it('get the one shape of errors even when the path cannot be read', async () => {
    const answer = await api.send('/v1/eval/jobs/%');
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'eval_invalid_request', hint: null } } });
  });

  it('get 404 with the way to the list of routes', async () => {
    const answer = await api.send('/v1/nothing');
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(answer.body.error?.hint).toContain('/v1/openapi.json');
  });

  it('get 405 with the methods of the path', async () => {
    const answer = await api.send('/v1/eval/jobs/x', { method: 'PUT' });
    expect(answer).toMatchObject({ status: 405, body: { error: { code: 'method_not_allowed', hint: 'Use GET or DELETE.' } } });
  });
});

describe('request ids', () => {
  it('are sent back, and made where they are missing or strange', async () => {
    expect((await api.send('/healthz', { headers: { 'x-request-id': 'abc-1' } })).headers['x-request-id']).toBe('abc-1');
    for (const strange of ['a b', 'x'.repeat(200)]) {
      expect((await api.send('/healthz', { headers: { 'x-request-id': strange } })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('are in the log, with the name of the key and never the key', async () => {
    await api.send('/v1/models', { headers: { 'x-request-id': 'find-me' } });
    const line = api.logLines.map((text) => JSON.parse(text) as Record<string, unknown>).find((entry) => entry['reqId'] === 'find-me');
    expect(line).toMatchObject({ route: '/v1/models', status: 200, key: 'tester' });
    expect(api.logLines.join('')).not.toContain(api.key);
  });
});
