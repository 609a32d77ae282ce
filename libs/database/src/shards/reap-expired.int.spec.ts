import { admitEchoJob, startPostgres } from '@kiln/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { checkRecord } from './check-record.fixture.js';
import { reapExpired } from './reap-expired.js';
import { claimAs, dispatchNow, expire, leaseNext, readBudget, readShards, readTopics } from './shard-flow.fixture.js';

describe('reapExpired', () => {
  let db: Database | undefined;
  beforeEach(async () => {
    await db?.close();
    db = openDatabase(await (await startPostgres()).createDatabase());
  });
  afterAll(() => db?.close());

  it('takes back expired leases only, with what they reserved', async () => {
    const job = await admitEchoJob(db!, { examples: 3, costBoundNano: 10n });
    const [lost, held] = [await leaseNext(db!, job), await leaseNext(db!, job)];
    await expire(db!, lost.shardId);
    expect(await reapExpired(db!, 10)).toBe(1);
    expect(await reapExpired(db!, 10)).toBe(0);
    const shards = await readShards(db!, job.jobId);
    expect(shards.map((shard) => shard.state)).toEqual(['waiting', 'leased', 'waiting']);
    expect(shards[0]).toMatchObject({ starts: 1, crashes: 0, fence: '1', costReserved: '0' });
    expect(shards[1]).toMatchObject({ id: held.shardId, costReserved: '0.00000001' });
    expect(await readBudget(db!, job.jobId)).toMatchObject({ costHeld: 10 });
    expect(await readTopics(db!, job.jobId)).toEqual(['job.admitted', 'shard.ended']);
    await checkRecord(db!, job.jobId);
  });

  it('goes by the clock of the database', async () => {
    const job = await admitEchoJob(db!, { examples: 1 });
    await leaseNext(db!, job, 150);
    expect(await reapExpired(db!, 10)).toBe(0);
    await expect.poll(() => reapExpired(db!, 10), { timeout: 5_000 }).toBe(1);
  });

  it('takes back in batches, and many reapers take each lease once', async () => {
    const jobs = await Promise.all([1, 2, 3].map(() => admitEchoJob(db!, { examples: 20 })));
    for (const job of jobs) {
      await Promise.all((await dispatchNow(db!, job.jobId)).map((shard) => claimAs(db!, shard)));
    }
    await db!.query(`UPDATE shards SET lease_until = now() - interval '1 s'`);
    expect(await reapExpired(db!, 7)).toBe(7);
    const taken = await Promise.all(Array.from({ length: 8 }, () => reapExpired(db!, 100)));
    expect(taken.reduce((a, b) => a + b)).toBe(53);
    for (const { jobId } of jobs) {
      expect((await readBudget(db!, jobId)).costHeld).toBe(0);
      expect((await readTopics(db!, jobId)).filter((topic) => topic === 'shard.ended')).toHaveLength(20);
      await checkRecord(db!, jobId);
    }
  });
});
