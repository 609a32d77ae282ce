import { isNotConnectionError } from 'bullmq';
import { createLogger, createMetrics, type Metrics } from '@kiln/observability';
import { startPostgres, type TestPostgres } from '@kiln/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openQueueing } from '../open-queueing.js';
import { QUICK } from '../queueing-conformance.fixture.js';
import { migrateQueue } from './migrate-queue.js';
import { PatientPool } from './patient-pool.js';
import { queryOnce } from './query-once.fixture.js';

describe('the Postgres backend', () => {
  let postgres: TestPostgres;
  let url: string;
  let metrics: Metrics;
  const logger = createLogger('test', { level: 'silent' });
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createEmptyDatabase();
    metrics = createMetrics('test');
    await Promise.all([1, 2, 3, 4].map(() => migrateQueue(url)));
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(() => metrics.close());

  const open = () => openQueueing({ backend: 'postgres', url }, { logger, metrics }, QUICK);

  it('is migrated by several processes at once, again without effect, and leaves other schemas alone', async () => {
    await migrateQueue(url);
    expect(await queryOnce(url, "SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'")).toEqual([{ n: 0 }]);
    await (await open()).close();
  });

  it('refuses to start without its schema', async () => {
    const empty = await postgres.createEmptyDatabase();
    await expect(openQueueing({ backend: 'postgres', url: empty }, { logger, metrics }, QUICK)).rejects.toMatchObject({
      name: 'QueueUnsafe',
      message: expect.stringContaining('run the migrations'),
    });
  });

  it('says that the database does not exist or the password is wrong at once', async () => {
    const wrong = new URL(url);
    wrong.pathname = '/nowhere';
    await expect(openQueueing({ backend: 'postgres', url: wrong.href }, { logger, metrics }, QUICK)).rejects.toThrow(
      /refuses the connection: database "nowhere" does not exist/,
    );
    wrong.password = 'wrong';
    await expect(openQueueing({ backend: 'postgres', url: wrong.href }, { logger, metrics }, QUICK)).rejects.toThrow(
      /refuses the connection: password authentication failed/,
    );
  });

  it.each([
    ['ahead of', 600_000],
    ['behind', -600_000],
  ])('refuses a clock that is ten minutes %s the database (row 23, finding 6)', async (direction, shift) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shift });
    await expect(open()).rejects.toMatchObject({
      name: 'QueueUnsafe',
      message: expect.stringMatching(new RegExp(`600\\.0 s ${direction}.*NTP`)),
    });
    expect((await metrics.clockSkew.get()).values[0]?.value).toBeCloseTo(shift / 1000, 0);
  });

  it('turns a dropped connection into what BullMQ tries again, and nothing else (finding 4)', async () => {
    const pool = new PatientPool({ connectionString: url, max: 2 }, () => undefined);
    try {
      const pending = pool.query('SELECT pg_backend_pid() AS pid, pg_sleep(10)').catch((error: unknown) => error as Error);
      await expect
        .poll(() =>
          postgres.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(10)%' AND pid <> pg_backend_pid()",
          ),
        )
        .not.toEqual([]);
      const dropped = await pending;
      expect(isNotConnectionError(dropped as Error)).toBe(false);
      expect((dropped as Error).cause).toMatchObject({ code: '57P01' });
      const mistake = await pool.query('SELEC 1').catch((error: unknown) => error as Error);
      expect(isNotConnectionError(mistake as Error)).toBe(true);
      expect(mistake).toMatchObject({ code: '42601' });
    } finally {
      await pool.cut(200);
    }
  });

  it('cuts a pool whose connection is in use', async () => {
    const pool = new PatientPool({ connectionString: url, max: 2 }, () => undefined);
    const client = await pool.connect();
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', () => undefined);
    const started = performance.now();
    await pool.cut(100);
    await ended;
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
