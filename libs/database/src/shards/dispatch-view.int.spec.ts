import { admitEchoJob, DEFAULT_PROJECT, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { cancelJob } from '../jobs/stop-job.js';
import { drainWorker, publishModels, registerWorker } from '../workers/register-worker.js';
import { dispatchShards } from './dispatch-shards.js';
import { dispatchView, queueSlots } from './dispatch-view.js';
import { dispatchNow, leaseNext, record, runToTheEnd, samplesOf, TESTER } from './shard-flow.fixture.js';

let db: Database;
beforeEach(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase());
});
afterEach(() => db.close());

describe('dispatchView', () => {
  it('shows what each job may start on each of its queues, counted up to the limit', async () => {
    const job = await admitEchoJob(db, { examples: 10, arms: 2, queue: ['shards.cpu.a', 'shards.cpu.b'], concurrency: 7 });
    await dispatchShards(db, job.jobId, 'shards.cpu.b', 4);
    const view = (await dispatchView(db, 8)).toSorted((a, b) => (a.queue < b.queue ? -1 : 1));
    const demand = { jobId: job.jobId, concurrency: 7, active: 4, waitedMs: expect.any(Number) };
    expect(view).toEqual([
      { ...demand, queue: 'shards.cpu.a', waiting: 8 },
      { ...demand, queue: 'shards.cpu.b', waiting: 6 },
    ]);
  });

  it('sees the work of a queue behind the backlog of another, which nobody serves', async () => {
    const job = await admitEchoJob(db, { examples: 50, arms: 2, queue: ['shards.cpu.unserved', 'shards.cpu.b'] });
    await dispatchShards(db, job.jobId, 'shards.cpu.b', 30);
    expect((await dispatchView(db, 10)).map(({ queue, waiting }) => [queue, waiting])).toContainEqual(['shards.cpu.b', 10]);
  });

  it('shows nothing of what may not start now', async () => {
    const [heldBack, cancelled, capped, done] = [
      await admitEchoJob(db),
      await admitEchoJob(db),
      await admitEchoJob(db),
      await admitEchoJob(db),
    ];
    await db.query(`UPDATE shards SET not_before = now() + interval '1 h' WHERE job_id = $1`, [heldBack.jobId]);
    await leaseNext(db, cancelled);
    await cancelJob(db, DEFAULT_PROJECT, cancelled.jobId, TESTER);
    await db.query(`UPDATE jobs SET stop_reason = 'cost_cap' WHERE id = $1`, [capped.jobId]);
    await runToTheEnd(db, done);
    expect(await dispatchView(db, 10)).toEqual([]);
  });

  it('counts the wait from the last slot, also when that shard has ended', async () => {
    const job = await admitEchoJob(db, { examples: 4 });
    const waited = async (): Promise<number> => (await dispatchView(db, 10))[0]!.waitedMs;
    await db.query(`UPDATE jobs SET submitted_at = now() - interval '1 h' WHERE id = $1`, [job.jobId]);
    expect(await waited()).toBeGreaterThan(3_500_000);
    const lease = await leaseNext(db, job);
    expect(await waited()).toBeLessThan(60_000);
    await record(db, lease, samplesOf(lease), { final: true });
    expect(await waited()).toBeLessThan(60_000);
  });
});

describe('queueSlots', () => {
  const addWorker = async (queues: string[], slots: number): Promise<string> => {
    const id = randomUUID();
    await registerWorker(db, { id, pool: 'cpu', hostname: 'host', pid: 1, slots });
    await publishModels(db, id, queues, [], '0');
    return id;
  };

  it('sums the slots of live workers and the shards that are dispatched already', async () => {
    await addWorker(['shards.cpu.a', 'shards.cpu.echo'], 4);
    await addWorker(['shards.cpu.echo'], 3);
    await drainWorker(db, await addWorker(['shards.cpu.echo'], 50));
    const silent = await addWorker(['shards.cpu.echo'], 50);
    await db.query(`UPDATE workers SET heartbeat_at = now() - interval '1 min' WHERE id = $1`, [silent]);
    const job = await admitEchoJob(db, { examples: 5 });
    await dispatchNow(db, job.jobId, 3);
    await leaseNext(db, job);
    expect((await queueSlots(db, 30_000)).toSorted((a, b) => a.slots - b.slots)).toEqual([
      { queue: 'shards.cpu.a', slots: 4, dispatched: 0 },
      { queue: 'shards.cpu.echo', slots: 7, dispatched: 3 },
    ]);
  });
});
