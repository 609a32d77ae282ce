import { openDatabase } from '@kiln/database';
import { createLogger, createMetrics } from '@kiln/observability';
import { Config, parseWith } from '@kiln/contracts';
import { TestPostgres, startPostgres } from '@kiln/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyVerifier } from '../auth/api-key-verifier.js';
import { createApp } from '../create-app.js';

// A server of its own: it is stopped and started again.
let postgres: TestPostgres;
let app: NestFastifyApplication;
let closeDatabase: () => Promise<void>;

beforeAll(async () => {
  postgres = await startPostgres({ maxConnections: 30 });
  const databaseUrl = await postgres.createDatabase();
  const database = openDatabase(databaseUrl, { max: 3, onIdleError: () => undefined });
  const config = parseWith(Config, {}, 'settings');
  const logger = createLogger('api', { level: 'silent' });
  const dependencies = { database, databaseUrl, config: () => config, logger, metrics: createMetrics('api'), version: 'test' };
  const verifier = new ApiKeyVerifier(database);
  verifier.verify = async () => ({
    keyId: 'k',
    keyName: 'k',
    projectId: '00000000-0000-7000-8000-000000000001',
    scopes: ['eval:read', 'eval:write', 'eval:run', 'ops'],
  });
  app = await createApp(dependencies, verifier);
  closeDatabase = () => database.close();
});
afterAll(async () => {
  await app.close();
  await closeDatabase();
  await postgres.stop();
});

const get = async (url: string) => {
  const response = await app.inject({ url, headers: { authorization: 'Bearer x' } });
  return { status: response.statusCode, body: response.json<Record<string, never>>(), headers: response.headers };
};

describe('while the database is down', () => {
  it('requests get 503 and the way on, readiness says why, liveness stays; and all is well when it is back', async () => {
    expect((await get('/readyz')).status).toBe(200);
    expect((await get('/v1/eval/suites')).status).toBe(200);

    await postgres.stop('immediate');
    for (const url of ['/v1/eval/suites', '/v1/eval/jobs', '/v1/models', '/v1/keys']) {
      const answer = await get(url);
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'database_unavailable' } }, headers: { 'retry-after': '5' } });
    }
    const ready = await get('/readyz');
    expect(ready).toMatchObject({ status: 503, body: { status: 'not_ready', checks: { process: 'ok' } } });
    expect(ready.body['checks']?.['database']).toMatch(/^not reachable \([A-Z0-9]+\)$/);
    expect((await get('/healthz')).status).toBe(200);

    await postgres.start();
    await expect.poll(async () => (await get('/readyz')).status, { timeout: 10_000 }).toBe(200);
    expect((await get('/v1/eval/suites')).status).toBe(200);
  });
});

describe('an empty database', () => {
  it('is not ready, and readiness says what is missing', async () => {
    const databaseUrl = await postgres.createEmptyDatabase();
    const database = openDatabase(databaseUrl, { max: 2, onIdleError: () => undefined });
    const config = parseWith(Config, {}, 'settings');
    const empty = await createApp({
      database,
      databaseUrl,
      config: () => config,
      logger: createLogger('api', { level: 'silent' }),
      metrics: createMetrics('api'),
      version: 'test',
    });
    const response = await empty.inject({ url: '/readyz' });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({
      status: 'not_ready',
      checks: { database: 'ok', migrations: expect.stringContaining('migrations are missing') },
    });
    await empty.close();
    await database.close();
  });
});
