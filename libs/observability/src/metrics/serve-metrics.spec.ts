import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from './create-metrics.js';
import { type Health, serveMetrics } from './serve-metrics.js';

describe('serveMetrics', () => {
  const closing: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function serve(health: Partial<Health> = {}) {
    const metrics = createMetrics('worker');
    const server = await serveMetrics({ port: 0 }, metrics.registry, { alive: () => null, ready: () => null, ...health });
    closing.push(() => server.close(), metrics.close);
    return {
      port: server.port,
      registry: metrics.registry,
      get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init),
    };
  }

  it('serves the metrics as Prometheus text', async () => {
    const { get } = await serve();
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toContain('nodejs_eventloop_lag_seconds');
  });

  it('tells alive from ready', async () => {
    const { get } = await serve({ ready: () => Promise.reject(new Error('database is down')) });
    expect((await get('/healthz')).status).toBe(200);
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'unavailable', reason: 'database is down' });
  });

  it('reports a process that makes no progress (row 16: alive, not consuming)', async () => {
    const { get } = await serve({ alive: () => 'no claim attempt for 300 s' });
    const response = await get('/healthz');
    expect([response.status, await response.json()]).toEqual([503, { status: 'unavailable', reason: 'no claim attempt for 300 s' }]);
  });

  it('answers 404 and 405 to the rest', async () => {
    const { get } = await serve();
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
  });

  it('says that the port is in use', async () => {
    const { port, registry } = await serve();
    await expect(serveMetrics({ port }, registry, { alive: () => null, ready: () => null })).rejects.toThrow(
      /port \d+ on 127\.0\.0\.1 is in use/,
    );
  });
});
