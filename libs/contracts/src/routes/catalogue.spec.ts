import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { ROUTES, allRoutes } from './catalogue.js';
import { errorsOf, routerPath } from './route.js';

describe('ROUTES', () => {
  it('names each route once, by its operation id', () => {
    for (const [key, route] of Object.entries(ROUTES)) expect(route.operationId).toBe(key);
    const places = allRoutes().map((route) => `${route.method} ${route.path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('describes exactly the placeholders of each path', () => {
    for (const { path, params } of allRoutes()) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {})).toEqual(placeholders);
    }
  });

  it('needs a key everywhere but for health, metrics and documents', () => {
    const open = allRoutes().filter((route) => route.scope === null);
    expect(open.map((route) => route.path)).toEqual(['/healthz', '/readyz', '/metrics', '/v1/openapi.json', '/docs']);
  });

  it('lets nobody start work who may only read and write (a judge’s key)', () => {
    for (const route of [ROUTES.submitRun, ROUTES.submitCompare, ROUTES.cancelJob]) expect(route.scope).toBe('eval:run');
  });

  it('has an idempotency key where sending twice would spend twice', () => {
    const keyed = allRoutes().filter((route) => route.headers && 'idempotency-key' in route.headers.shape);
    expect(keyed.map((route) => route.operationId)).toEqual(['submitRun', 'submitCompare', 'submitRescore', 'submitReplay', 'submitRerun']);
    for (const route of keyed) expect(errorsOf(route)).toContain('idempotency_key_reused');
  });

  it('answers 200 wherever the contract’s routes say so', () => {
    const statuses = allRoutes()
      .filter((route) => route.path.startsWith('/v1/eval'))
      .map((route) => route.success.status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('lists every error once', () => {
    for (const route of allRoutes()) expect(new Set(errorsOf(route)).size).toBe(errorsOf(route).length);
    expect(errorsOf(ROUTES.registerSuite)).toEqual(
      expect.arrayContaining(['eval_suite_exists', 'eval_invalid_request', 'payload_too_large', 'unauthorized', 'database_unavailable']),
    );
  });

  it('writes paths for the router', () => {
    expect(routerPath(ROUTES.listOutcomes)).toBe('/v1/eval/jobs/:id/outcomes');
  });
});

describe('queries', () => {
  it('reads the list of jobs', () => {
    const query = parseWith(
      ROUTES.listJobs.query,
      { state: ['queued', 'running'], kind: 'eval', label: 'git_sha=a=b', limit: '5' },
      'query',
    );
    expect(query).toEqual({ state: ['queued', 'running'], kind: ['eval'], label: [{ key: 'git_sha', value: 'a=b' }], limit: 5 });
    expect(parseWith(ROUTES.listJobs.query, {}, 'query')).toEqual({ limit: 100 });
  });

  it('reads flags and waits', () => {
    expect(parseWith(ROUTES.registerSuite.query, { force: 'true' }, 'query')).toEqual({ force: true });
    expect(parseWith(ROUTES.registerSuite.query, { force: '0' }, 'query')).toEqual({ force: false });
    expect(parseWith(ROUTES.registerSuite.query, {}, 'query')).toEqual({ force: false });
    expect(parseWith(ROUTES.getJob.query, { wait: '60' }, 'query')).toEqual({ wait: 60 });
  });

  it.each([
    [ROUTES.getJob.query, { wait: '61' }, 'wait: must be at most 60'],
    [ROUTES.getJob.query, { wait: 'long' }, 'wait: expected a number, got "long"'],
    [ROUTES.listJobs.query, { limit: '0' }, 'limit: must be at least 1'],
    [ROUTES.listJobs.query, { limit: '1001' }, 'limit: must be at most 1000'],
    [ROUTES.listJobs.query, { state: 'done' }, /^state\[0\]: must be one of "queued".*, got "done"$/],
    [ROUTES.listJobs.query, { label: 'nolabel' }, 'label[0]: must be key=value'],
    [ROUTES.listJobs.query, { label: 'git_sha=\0' }, 'label[0]: contains the NUL character'],
    [ROUTES.listJobs.query, { suite: 'a\0' }, 'suite: contains the NUL character'],
    [ROUTES.listAdapters.query, { model: '\0' }, 'model: contains the NUL character'],
    [ROUTES.getSuite.query, { hash: '\0' }, 'hash: contains the NUL character'],
    [ROUTES.registerSuite.query, { force: 'yes' }, 'force: must be true or false'],
    [ROUTES.submitRun.headers, { 'idempotency-key': 'a b' }, 'idempotency-key: must be 1 to 255 visible ASCII characters'],
  ])('refuses bad query %#', (schema, value, message) => {
    expect(() => parseWith(schema, value, 'query')).toThrow(message);
  });
});
