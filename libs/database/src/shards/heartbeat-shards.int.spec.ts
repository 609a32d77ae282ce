import { admitEchoJob, DEFAULT_PROJECT, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { cancelJob } from '../jobs/stop-job.js';
import { heartbeatShards } from './heartbeat-shards.js';
import { reapExpired } from './reap-expired.js';
import { expire, leaseNext, record, samplesOf, TESTER } from './shard-flow.fixture.js';

describe('heartbeatShards', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase());
  });
  afterAll(() => db.close());

  it('renews the leases that are held and leaves out the lost ones', async () => {
    const job = await admitEchoJob(db, { examples: 6 });
    const leases = [];
    for (let turn = 0; turn < 6; turn += 1) leases.push(await leaseNext(db, job, 1_000));
    const [held, expired, reaped, done, oldFence, foreign] = leases;
    await expire(db, reaped!.shardId);
    await reapExpired(db, 10);
    // Expired but not taken back yet: still ours.
    await expire(db, expired!.shardId);
    await record(db, done!, samplesOf(done!), { final: true });
    const beats = await heartbeatShards(
      db,
      [held!, expired!, reaped!, done!, { ...oldFence!, fence: '0' }, { ...foreign!, claimToken: randomUUID() }],
      60_000,
    );
    expect(beats.toSorted((a, b) => (a.shardId < b.shardId ? -1 : 1))).toEqual(
      [held!, expired!].map(({ shardId }) => ({ shardId, stop: null })).toSorted((a, b) => (a.shardId < b.shardId ? -1 : 1)),
    );
    const [row] = await db.query(
      `SELECT count(*)::int AS renewed FROM shards WHERE job_id = $1 AND lease_until > now() + interval '50 s'`,
      [job.jobId],
    );
    expect(row).toEqual({ renewed: 2 });
    expect(await heartbeatShards(db, [], 60_000)).toEqual([]);
  });

  it('brings a cancel back, and goes on for a job that is only capped', async () => {
    const [cancelled, capped] = [await admitEchoJob(db), await admitEchoJob(db)];
    const [first, second] = [await leaseNext(db, cancelled), await leaseNext(db, capped)];
    await cancelJob(db, DEFAULT_PROJECT, cancelled.jobId, TESTER);
    await db.query(`UPDATE jobs SET stop_reason = 'cost_cap' WHERE id = $1`, [capped.jobId]);
    expect(await heartbeatShards(db, [first], 60_000)).toEqual([{ shardId: first.shardId, stop: 'cancelled' }]);
    expect(await heartbeatShards(db, [second], 60_000)).toEqual([{ shardId: second.shardId, stop: null }]);
  });

  it('brings a halt back, which comes before a cancel', async () => {
    const job = await admitEchoJob(db);
    const lease = await leaseNext(db, job);
    await cancelJob(db, DEFAULT_PROJECT, job.jobId, TESTER);
    await db.query(`UPDATE control SET halt_epoch = halt_epoch + 1`);
    expect(await heartbeatShards(db, [lease], 60_000)).toEqual([{ shardId: lease.shardId, stop: 'halted' }]);
  });
});
