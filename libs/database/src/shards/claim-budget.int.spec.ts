import { admitEchoJob, startPostgres } from '@kiln/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { endStoppedShards } from '../jobs/stop-job.js';
import { checkCap, checkRecord } from './check-record.fixture.js';
import { endAttempt } from './end-attempt.js';
import { type Lease } from './lease.js';
import { reapExpired } from './reap-expired.js';
import {
  claimAs,
  dispatchNow,
  expire,
  leaseNext,
  readBudget,
  readJob,
  readShards,
  readTopics,
  record,
  sampleOf,
  samplesOf,
} from './shard-flow.fixture.js';

describe('claims under a cap', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 64 });
    // Proves the cap on every state that a row ever has, not only on those that a test happens to see.
    await db.query(`ALTER TABLE budgets ADD CONSTRAINT cap_kept CHECK (
      (cost_cap IS NULL OR cost_spent + cost_reserved <= cost_cap) AND (token_cap IS NULL OR tokens_spent + tokens_reserved <= token_cap))`);
  });
  afterAll(() => db.close());

  const claimAll = async (jobId: string): Promise<{ leases: Lease[]; outcomes: string[] }> => {
    const results = await Promise.all((await dispatchNow(db, jobId)).map((shard) => claimAs(db, shard)));
    return {
      leases: results.flatMap((result) => (result.outcome === 'leased' ? [result.lease] : [])),
      outcomes: results.map((result) => result.outcome),
    };
  };

  it.each([
    ['cost', { costBoundNano: 10n, costCapNano: 155n }],
    ['tokens', { tokenBound: 10n, tokenCap: 155n }],
    ['both, the tighter one decides', { costBoundNano: 10n, costCapNano: 155n, tokenBound: 10n, tokenCap: 500n }],
  ])('lets 64 claims at once reserve no more than the cap: %s', async (_name, caps) => {
    const job = await admitEchoJob(db, { examples: 64, ...caps });
    const { leases, outcomes } = await claimAll(job.jobId);
    expect(leases).toHaveLength(15);
    expect(outcomes.filter((outcome) => outcome === 'wait')).toHaveLength(49);
    await checkRecord(db, job.jobId);
    for (const lease of leases) await endAttempt(db, lease, { kind: 'released' });
    expect(await readBudget(db, job.jobId)).toEqual({ cost: 0, costHeld: 0, tokens: 0, tokensHeld: 0 });
  });

  it('uses what attempts did not need, and is capped when not even one example fits', async () => {
    const job = await admitEchoJob(db, { examples: 40, costBoundNano: 10n, costCapNano: 100n });
    let recorded = 0;
    for (let round = 0; round < 20; round += 1) {
      const { leases } = await claimAll(job.jobId);
      await Promise.all(leases.map((lease) => record(db, lease, samplesOf(lease, { costNano: 4n }), { final: true })));
      recorded += leases.length;
      await checkRecord(db, job.jobId);
      if ((await readJob(db, job.jobId)).stopReason !== null) break;
    }
    // 23 samples cost 92, so that the 24th, which may cost 10, does not fit.
    expect(recorded).toBe(23);
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 92, costHeld: 0 });
    expect(await readJob(db, job.jobId)).toEqual({ state: 'running', stopReason: 'cost_cap' });
    expect((await readTopics(db, job.jobId)).filter((topic) => topic === 'job.stopped')).toHaveLength(1);
    await endStoppedShards(db, job.jobId);
    const shards = await readShards(db, job.jobId);
    expect(shards.filter((shard) => shard.end === 'capped')).toHaveLength(17);
    expect(shards.filter((shard) => shard.end === 'completed')).toHaveLength(23);
  });

  it('waits while others hold a reservation, which may come back', async () => {
    const job = await admitEchoJob(db, { examples: 2, costBoundNano: 10n, costCapNano: 15n });
    const [first, second] = await dispatchNow(db, job.jobId);
    const held = await claimAs(db, first!);
    expect(await claimAs(db, second!)).toEqual({ outcome: 'wait' });
    expect(await readJob(db, job.jobId)).toMatchObject({ stopReason: null });
    if (held.outcome !== 'leased') throw new Error(held.outcome);
    await record(db, held.lease, samplesOf(held.lease, { costNano: 5n }), { final: true });
    expect((await leaseNext(db, job)).firstOrdinal).toBe(1);
  });

  it('stops by tokens with the reason of its own', async () => {
    const job = await admitEchoJob(db, { examples: 1, tokenBound: 10n, tokenCap: 9n });
    expect((await claimAll(job.jobId)).outcomes).toEqual(['end']);
    expect(await readJob(db, job.jobId)).toEqual({ state: 'queued', stopReason: 'token_cap' });
    expect((await readShards(db, job.jobId))[0]).toMatchObject({ state: 'done', end: 'capped' });
  });

  it('splits a shard to what fits, and its counters follow their samples', async () => {
    const job = await admitEchoJob(db, { examples: 6, shardExamples: 6, k: 2, costBoundNano: 10n, costCapNano: 120n });
    const whole = await leaseNext(db, job);
    await record(db, whole, [sampleOf(0, 0), sampleOf(2, 1, { kind: 'fail', score: 0.25 }), sampleOf(5, 0)]);
    await record(db, whole, [sampleOf(4, 0, { costNano: 10n, kind: 'invalid' })], { part: 1 });
    await endAttempt(db, whole, { kind: 'released' });
    await db.query(`UPDATE budgets SET cost_cap = 0.000000075 WHERE job_id = $1`, [job.jobId]);
    const part = await leaseNext(db, job);
    // 13 are spent, 62 left: three examples at full price. Two of their samples are recorded.
    expect([part.firstOrdinal, part.count]).toEqual([0, 3]);
    const [kept, rest] = await readShards(db, job.jobId);
    expect(kept).toMatchObject({ first: 0, count: 3, recorded: 2, passed: 1, state: 'leased', costReserved: '0.00000004' });
    expect(rest).toMatchObject({ first: 3, count: 3, recorded: 2, passed: 1, state: 'waiting', costReserved: '0', fence: '1' });
    await checkRecord(db, job.jobId);
    await checkCap(db, job.jobId);
  });

  it('returns the reservation of a lost lease once', async () => {
    const job = await admitEchoJob(db, { examples: 3, shardExamples: 3, costBoundNano: 10n, costCapNano: 30n });
    const lease = await leaseNext(db, job);
    await record(db, lease, [sampleOf(0, 0, { costNano: 10n })]);
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 10, costHeld: 20 });
    await expire(db, lease.shardId);
    await Promise.all([reapExpired(db, 10), reapExpired(db, 10), reapExpired(db, 10)]);
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 10, costHeld: 0 });
    const again = await leaseNext(db, job);
    expect(again.count).toBe(3);
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 10, costHeld: 20 });
  });
});

describe('overshoot', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 20 });
  });
  afterAll(() => db.close());

  it('is only what actual costs exceed their bound by, and ends the job', async () => {
    const job = await admitEchoJob(db, { examples: 10, costBoundNano: 10n, costCapNano: 40n });
    const leases: Lease[] = [];
    for (const shard of await dispatchNow(db, job.jobId)) {
      const result = await claimAs(db, shard);
      if (result.outcome === 'leased') leases.push(result.lease);
    }
    expect(leases).toHaveLength(4);
    for (const [index, lease] of leases.entries()) {
      await record(db, lease, samplesOf(lease, { costNano: 30n }), { final: true });
      await checkCap(db, job.jobId, BigInt(index + 1) * 20n);
      await checkRecord(db, job.jobId);
    }
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 120, costHeld: 0 });
    const [next] = await dispatchNow(db, job.jobId, 1);
    expect(await claimAs(db, next!)).toEqual({ outcome: 'end' });
    expect((await readJob(db, job.jobId)).stopReason).toBe('cost_cap');
  });

  it('of an unknown price is never counted as money, but as tokens', async () => {
    const job = await admitEchoJob(db, { examples: 1, costBoundNano: 0n, tokenBound: 10n, tokenCap: 10n });
    const lease = await leaseNext(db, job);
    await record(db, lease, samplesOf(lease, { costNano: null, promptTokens: 6, completionTokens: 3 }), { final: true });
    expect(await readBudget(db, job.jobId)).toEqual({ cost: 0, costHeld: 0, tokens: 9, tokensHeld: 0 });
    expect(await db.query(`SELECT cost FROM traces WHERE run_id = $1`, [job.runIds[0]])).toEqual([{ cost: null }]);
    expect(await db.query(`SELECT cost FROM usage_ledger WHERE job_id = $1`, [job.jobId])).toEqual([{ cost: null }]);
  });
});
