import { admitEchoJob, ECHO_QUEUE, startPostgres } from '@kiln/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { checkRecord } from './check-record.fixture.js';
import { dispatchShards, unclaimedShards, undispatchShards } from './dispatch-shards.js';
import { endAttempt } from './end-attempt.js';
import { claimAs, leaseNext, readShards } from './shard-flow.fixture.js';

describe('dispatchShards', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 20 });
  });
  afterAll(() => db.close());

  it.each([3, 300])('hands shards out in the order (example block, arm), of %i blocks', async (blocks) => {
    const job = await admitEchoJob(db, { examples: blocks, arms: 2 });
    const byId = new Map((await readShards(db, job.jobId)).map((shard) => [shard.id, `${shard.first}:${shard.run}`]));
    const given: string[] = [];
    for (const limit of [1, 2, 10_000]) {
      const shards = await dispatchShards(db, job.jobId, ECHO_QUEUE, limit);
      expect(shards.length).toBeLessThanOrEqual(limit);
      expect(shards.every((shard) => shard.dispatch === 1 && shard.queue === ECHO_QUEUE)).toBe(true);
      given.push(...shards.map((shard) => byId.get(shard.shardId)!));
    }
    expect(given).toEqual(Array.from({ length: blocks * 2 }, (_, index) => `${Math.floor(index / 2)}:${index % 2}`));
    expect(await dispatchShards(db, job.jobId, ECHO_QUEUE, 10)).toEqual([]);
  });

  it('gives every shard to one of many dispatchers', async () => {
    const job = await admitEchoJob(db, { examples: 60 });
    const given = await Promise.all(Array.from({ length: 12 }, () => dispatchShards(db, job.jobId, ECHO_QUEUE, 10)));
    const ids = given.flat().map((shard) => shard.shardId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(given.every((shards) => shards.length <= 10)).toBe(true);
  });

  it('leaves out other queues and what a failure holds back', async () => {
    const job = await admitEchoJob(db, { examples: 2, arms: 2, queue: ['shards.cpu.a', 'shards.cpu.b'] });
    await db.query(`UPDATE shards SET not_before = now() + interval '1 h' WHERE job_id = $1 AND first_ordinal = 0`, [job.jobId]);
    const given = await dispatchShards(db, job.jobId, 'shards.cpu.b', 10);
    expect(given).toHaveLength(1);
    expect((await readShards(db, job.jobId)).map(({ run, first, state }) => [first, run, state])).toEqual([
      [0, 0, 'waiting'],
      [0, 1, 'waiting'],
      [1, 0, 'waiting'],
      [1, 1, 'dispatched'],
    ]);
  });

  it('numbers each dispatch', async () => {
    const job = await admitEchoJob(db, { examples: 1 });
    for (const dispatch of [1, 2, 3]) {
      const [shard] = await dispatchShards(db, job.jobId, ECHO_QUEUE, 1);
      expect(shard).toMatchObject({ dispatch });
      await undispatchShards(db, [shard!]);
    }
  });
});

describe('undispatchShards', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase());
  });
  afterAll(() => db.close());

  it('puts back only what is still dispatched under the same number', async () => {
    const job = await admitEchoJob(db, { examples: 4 });
    const [lost, claimed, returned, again] = await dispatchShards(db, job.jobId, ECHO_QUEUE, 10);
    await claimAs(db, claimed!);
    const result = await claimAs(db, returned!);
    if (result.outcome === 'leased') await endAttempt(db, result.lease, { kind: 'released' });
    await undispatchShards(db, [again!]);
    await db.query(`UPDATE shards SET state = 'dispatched', dispatch = dispatch + 1 WHERE id = $1`, [again!.shardId]);
    expect(await undispatchShards(db, [lost!, claimed!, returned!, again!])).toBe(1);
    expect((await readShards(db, job.jobId)).map((shard) => shard.state)).toEqual(['waiting', 'leased', 'waiting', 'dispatched']);
    expect(await undispatchShards(db, [])).toBe(0);
    await checkRecord(db, job.jobId);
  });

  it('finds what was dispatched long ago and not claimed, the oldest first', async () => {
    await db.query(`UPDATE shards SET state = 'waiting' WHERE state = 'dispatched'`);
    const job = await admitEchoJob(db, { examples: 4 });
    const shards = await dispatchShards(db, job.jobId, ECHO_QUEUE, 3);
    await claimAs(db, shards[1]!);
    expect(await unclaimedShards(db, 1_000, 10)).toEqual([]);
    await db.query(`UPDATE shards SET dispatched_at = now() - interval '1 min' * (1 + first_ordinal) WHERE job_id = $1`, [job.jobId]);
    expect(await unclaimedShards(db, 1_000, 10)).toEqual([shards[2], shards[0]]);
    expect(await unclaimedShards(db, 1_000, 1)).toEqual([shards[2]]);
    expect(await leaseNext(db, job)).toMatchObject({ firstOrdinal: 3 });
  });
});
