import { admitEchoJob, startPostgres, type TestPostgres } from '@kiln/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.js';
import { checkRecord } from './shards/check-record.fixture.js';
import { claimAs, dispatchNow, readBudget, readShards, record, samplesOf } from './shards/shard-flow.fixture.js';
import { isTransient, retryTransient } from './transient.js';

let postgres: TestPostgres;
let url: string;
let db: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  db = openDatabase(url, { max: 20 });
});
afterAll(() => db.close());

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  );

describe('isTransient, on what Postgres really says', () => {
  it.each(['fast', 'immediate', 'crash'] as const)('a restart (%s) during a statement, and while it is down', async (mode) => {
    const running = failureOf(db.query('SELECT pg_sleep(20)'));
    await expect
      .poll(() => postgres.query(`SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(20)' AND state = 'active'`))
      .toHaveLength(1);
    await postgres.stop(mode);
    const [during, down] = [await running, await failureOf(db.query('SELECT 1'))];
    await postgres.start();
    expect([isTransient(during), isTransient(down)], `${String(during)}; ${String(down)}`).toEqual([true, true]);
    expect(await retryTransient(() => db.query('SELECT 1 AS one'), 10_000)).toEqual([{ one: 1 }]);
  });

  it('a session that was ended', async () => {
    const running = failureOf(db.query('SELECT pg_sleep(21)'));
    const end = () =>
      postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(21)' AND state = 'active'`);
    await expect.poll(end).toHaveLength(1);
    const error = await running;
    expect(error).toMatchObject({ code: '57P01' });
    expect(isTransient(error)).toBe(true);
  });

  it('a deadlock', async () => {
    await db.query('CREATE TABLE pair (id int PRIMARY KEY, n int)');
    await db.query('INSERT INTO pair VALUES (1, 0), (2, 0)');
    let met = 0;
    const lock = (first: number, second: number) =>
      failureOf(
        db.transaction(async (tx) => {
          await tx.query(`SET LOCAL deadlock_timeout = '50ms'`);
          await tx.query('UPDATE pair SET n = n + 1 WHERE id = $1', [first]);
          met += 1;
          await expect.poll(() => met).toBe(2);
          await tx.query('UPDATE pair SET n = n + 1 WHERE id = $1', [second]);
        }),
      );
    const errors = (await Promise.all([lock(1, 2), lock(2, 1)])).filter((result) => result !== 'no error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: '40P01' });
    expect(isTransient(errors[0])).toBe(true);
  });

  it('not a broken rule', async () => {
    const broken = await failureOf(db.query(`UPDATE control SET id = 2`));
    expect(broken).toMatchObject({ code: '23514' });
    expect(isTransient(broken)).toBe(false);
  });
});

describe('results while sessions are ended all the time', () => {
  it('are all stored, each once', async () => {
    const job = await admitEchoJob(db, { examples: 60, k: 2, shardExamples: 2, costBoundNano: 10n, costCapNano: 10_000n });
    const claims = await Promise.all((await dispatchNow(db, job.jobId)).map((shard) => claimAs(db, shard)));
    const leases = claims.flatMap((result) => (result.outcome === 'leased' ? [result.lease] : []));
    expect(leases).toHaveLength(30);
    let storming = true;
    let ended = 0;
    const storm = (async () => {
      while (storming) {
        const rows = await postgres.query<{ pid: number }>(
          `SELECT pg_terminate_backend(pid) AS pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = $1 AND random() < 0.3`,
          [new URL(url).pathname.slice(1)],
        );
        ended += rows.length;
        await sleep(15);
      }
    })();
    const write = async (lease: (typeof leases)[number]): Promise<void> => {
      const samples = samplesOf(lease, { costNano: 3n });
      const half = samples.length / 2;
      await retryTransient(() => record(db, lease, samples.slice(0, half)), 30_000);
      await retryTransient(() => record(db, lease, samples.slice(half), { part: 1, final: true }), 30_000);
    };
    const results = await Promise.allSettled(leases.map(write));
    storming = false;
    await storm;
    expect(results.filter((result) => result.status === 'rejected')).toEqual([]);
    expect(ended).toBeGreaterThan(0);
    expect((await readShards(db, job.jobId)).every((shard) => shard.end === 'completed' && shard.recorded === 4)).toBe(true);
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 360, costHeld: 0 });
    await checkRecord(db, job.jobId);
  });
});
