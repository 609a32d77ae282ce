import { admitEchoJob, startPostgres } from '@kiln/testing';
import { MAX_CRASHES, MAX_STARTS, SINGLY_AFTER } from '@kiln/running';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { cancelJob } from '../jobs/stop-job.js';
import { DEFAULT_PROJECT } from '@kiln/testing';
import { checkRecord } from './check-record.fixture.js';
import { endAttempt } from './end-attempt.js';
import {
  claimAs,
  dispatchNow,
  expire,
  leaseNext,
  readJob,
  readShards,
  readTopics,
  record,
  sampleOf,
  samplesOf,
  TESTER,
} from './shard-flow.fixture.js';
import { reapExpired } from './reap-expired.js';

describe('claimShard', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 40 });
  });
  afterAll(() => db.close());

  it('leases a dispatched shard and tells what to do', async () => {
    const job = await admitEchoJob(db, { examples: 5, shardExamples: 3, k: 2, costBoundNano: 10n, tokenBound: 7n });
    const [shard] = await dispatchNow(db, job.jobId, 1);
    const result = await claimAs(db, shard!);
    expect(result).toMatchObject({
      outcome: 'leased',
      giveUp: null,
      lease: {
        shardId: shard!.shardId,
        fence: '1',
        jobId: job.jobId,
        runId: job.runIds[0],
        firstOrdinal: 0,
        count: 3,
        k: 2,
        costBoundNano: 10n,
        tokenBound: 7n,
        starts: 1,
        crashes: 0,
        suiteVersionId: job.suite.versionId,
        selected: false,
        effectiveSeed: 7n,
        target: { kind: 'model', engine: 'echo' },
      },
    });
    expect((await readShards(db, job.jobId))[0]).toMatchObject({
      state: 'leased',
      starts: 1,
      costReserved: '0.00000006',
      tokensReserved: '42',
    });
    expect(await readJob(db, job.jobId)).toEqual({ state: 'running', stopReason: null });
    const [started] = await db.query(
      `SELECT r.started_at IS NOT NULL AND j.started_at IS NOT NULL AS both FROM runs r JOIN jobs j ON j.id = r.job_id WHERE j.id = $1`,
      [job.jobId],
    );
    expect(started).toEqual({ both: true });
    await checkRecord(db, job.jobId);
  });

  it('takes one message once, and only the latest message', async () => {
    const job = await admitEchoJob(db, { examples: 2 });
    const [first, second] = await dispatchNow(db, job.jobId);
    expect(await claimAs(db, first!)).toMatchObject({ outcome: 'leased' });
    expect(await claimAs(db, first!)).toEqual({ outcome: 'ignore' });
    expect(await claimAs(db, { shardId: second!.shardId, dispatch: second!.dispatch - 1 })).toEqual({ outcome: 'ignore' });
    expect(await claimAs(db, { shardId: second!.shardId, dispatch: second!.dispatch + 1 })).toEqual({ outcome: 'ignore' });
    expect(await claimAs(db, { shardId: randomUUID(), dispatch: 1 })).toEqual({ outcome: 'ignore' });
    expect(await claimAs(db, second!)).toMatchObject({ outcome: 'leased' });
  });

  it('ignores a shard that is waiting or done', async () => {
    const job = await admitEchoJob(db, { examples: 1 });
    const [waiting] = await readShards(db, job.jobId);
    expect(await claimAs(db, { shardId: waiting!.id, dispatch: 0 })).toEqual({ outcome: 'ignore' });
    const lease = await leaseNext(db, job);
    await record(db, lease, samplesOf(lease), { final: true });
    expect(await claimAs(db, { shardId: waiting!.id, dispatch: 1 })).toEqual({ outcome: 'ignore' });
  });

  it('gives one lease to 32 claims of one message', async () => {
    const job = await admitEchoJob(db, { examples: 1 });
    const [shard] = await dispatchNow(db, job.jobId);
    const results = await Promise.all(Array.from({ length: 32 }, () => claimAs(db, shard!)));
    expect(results.map((result) => result.outcome).toSorted()).toEqual([...Array<string>(31).fill('ignore'), 'leased']);
    expect((await readShards(db, job.jobId))[0]).toMatchObject({ state: 'leased', fence: '1', starts: 1 });
  });

  it('keeps a job inside its concurrency', async () => {
    const job = await admitEchoJob(db, { examples: 12, concurrency: 3 });
    const results = await Promise.all((await dispatchNow(db, job.jobId)).map((shard) => claimAs(db, shard)));
    const leased = results.flatMap((result) => (result.outcome === 'leased' ? [result.lease] : []));
    expect(leased).toHaveLength(3);
    expect(results.filter((result) => result.outcome === 'wait')).toHaveLength(9);
    expect((await readShards(db, job.jobId)).filter((shard) => shard.state === 'waiting')).toHaveLength(9);
    await record(db, leased[0]!, samplesOf(leased[0]!), { final: true });
    const again = await Promise.all((await dispatchNow(db, job.jobId)).map((shard) => claimAs(db, shard)));
    expect(again.filter((result) => result.outcome === 'leased')).toHaveLength(1);
    await checkRecord(db, job.jobId);
  });

  describe('poison', () => {
    it('gives up after three fruitless starts, without a reservation', async () => {
      const job = await admitEchoJob(db, { examples: 2, shardExamples: 2, costCapNano: 20n });
      for (let start = 1; start <= MAX_STARTS; start += 1) {
        const lease = await leaseNext(db, job);
        expect(lease.starts).toBe(start);
        await expire(db, lease.shardId);
        await reapExpired(db, 10);
      }
      const [shard] = await dispatchNow(db, job.jobId);
      const result = await claimAs(db, shard!);
      expect(result).toMatchObject({ outcome: 'leased', giveUp: 'start_limit', lease: { costBoundNano: 0n, tokenBound: 0n, count: 2 } });
      expect((await readShards(db, job.jobId))[0]).toMatchObject({ state: 'leased', costReserved: '0', tokensReserved: '0' });
      if (result.outcome !== 'leased') return;
      await record(db, result.lease, samplesOf(result.lease, { kind: 'error' }), { final: true });
      expect((await readShards(db, job.jobId))[0]).toMatchObject({ state: 'done', end: 'completed', recorded: 2, passed: 0 });
      await checkRecord(db, job.jobId);
    });

    it('counts only fruitless starts: a recorded sample and a clean release give theirs back', async () => {
      const job = await admitEchoJob(db, { examples: 3, shardExamples: 3 });
      const lost = await leaseNext(db, job);
      await expire(db, lost.shardId);
      await reapExpired(db, 10);
      const fruitful = await leaseNext(db, job);
      expect(fruitful.starts).toBe(2);
      await record(db, fruitful, [sampleOf(0)]);
      await endAttempt(db, fruitful, { kind: 'retry', delayMs: 1_000 });
      expect((await readShards(db, job.jobId))[0]!.starts).toBe(0);
      for (let turn = 0; turn < MAX_STARTS + 1; turn += 1) {
        const lease = await leaseNext(db, job);
        expect(lease.starts).toBe(1);
        await endAttempt(db, lease, { kind: 'released' });
      }
    });

    it('runs what crashed singly, and gives up only on the example that goes on crashing', async () => {
      const job = await admitEchoJob(db, { examples: 3, shardExamples: 3 });
      const poison = 1;
      const errors: number[] = [];
      for (let turn = 0; turn < 30; turn += 1) {
        const [shard] = await dispatchNow(db, job.jobId, 1);
        if (!shard) break;
        const result = await claimAs(db, shard);
        if (result.outcome !== 'leased') continue;
        const { lease, giveUp } = result;
        if (lease.crashes >= SINGLY_AFTER) expect(lease.count).toBe(1);
        const samples = samplesOf(lease, giveUp ? { kind: 'error' } : {});
        if (giveUp) {
          expect(giveUp).toBe('crash_limit');
          errors.push(lease.firstOrdinal);
        } else if (samples.some((sample) => sample.ordinal === poison)) {
          await endAttempt(db, lease, { kind: 'crashed' });
          continue;
        }
        await record(db, lease, samples, { final: true });
      }
      expect(errors).toEqual([poison]);
      const shards = await readShards(db, job.jobId);
      expect(shards.map(({ first, state, end, passed }) => ({ first, state, end, passed }))).toEqual([
        { first: 0, state: 'done', end: 'completed', passed: 1 },
        { first: 1, state: 'done', end: 'completed', passed: 0 },
        { first: 2, state: 'done', end: 'completed', passed: 1 },
      ]);
      expect(shards[1]!.crashes).toBe(MAX_CRASHES);
      await checkRecord(db, job.jobId);
    });

    it('does not start again what is recorded already: complete parts of a split end by themselves', async () => {
      const job = await admitEchoJob(db, { examples: 6, shardExamples: 6 });
      const first = await leaseNext(db, job);
      // Everything but example 3 is recorded when the engine dies for the second time.
      await record(
        db,
        first,
        [0, 1, 2].map((ordinal) => sampleOf(ordinal)),
      );
      await record(
        db,
        first,
        [4, 5].map((ordinal) => sampleOf(ordinal)),
        { part: 1 },
      );
      await endAttempt(db, first, { kind: 'crashed' });
      await endAttempt(db, await leaseNext(db, job), { kind: 'crashed' });
      const outcomes: string[] = [];
      for (;;) {
        const [shard] = await dispatchNow(db, job.jobId, 1);
        if (!shard) break;
        const result = await claimAs(db, shard);
        outcomes.push(result.outcome === 'leased' ? `lease ${result.lease.firstOrdinal}+${result.lease.count}` : result.outcome);
        if (result.outcome === 'leased') await record(db, result.lease, [sampleOf(3)], { final: true });
      }
      expect(outcomes).toEqual(['end', 'lease 3+1', 'end']);
      expect((await readShards(db, job.jobId)).map(({ first: at, count, end }) => [at, count, end])).toEqual([
        [0, 3, 'completed'],
        [3, 1, 'completed'],
        [4, 2, 'completed'],
      ]);
      await checkRecord(db, job.jobId);
    });
  });

  describe('stopped work', () => {
    it('never starts after a cancel', async () => {
      const job = await admitEchoJob(db, { examples: 3 });
      const [first, second, third] = await dispatchNow(db, job.jobId);
      await claimAs(db, first!);
      // As when the sweep that follows a cancel has not come yet.
      await db.query(`UPDATE jobs SET state = 'cancelling', cancel_requested_at = now(), stop_reason = 'cancelled' WHERE id = $1`, [
        job.jobId,
      ]);
      expect(await claimAs(db, second!)).toEqual({ outcome: 'end' });
      await cancelJob(db, DEFAULT_PROJECT, job.jobId, TESTER);
      expect(await claimAs(db, third!)).toEqual({ outcome: 'ignore' });
      expect((await readShards(db, job.jobId)).map((shard) => shard.end)).toEqual([null, 'cancelled', 'cancelled']);
    });

    it('never starts what was admitted before a halt', async () => {
      const job = await admitEchoJob(db, { examples: 1 });
      const [shard] = await dispatchNow(db, job.jobId);
      await db.query(`UPDATE control SET halt_epoch = halt_epoch + 1`);
      expect(await claimAs(db, shard!)).toEqual({ outcome: 'end' });
      expect((await readShards(db, job.jobId))[0]).toMatchObject({ state: 'done', end: 'halted' });
    });

    it.each(['a lease', 'giving up'])('undoes %s that a halt overtook', async (what) => {
      const job = await admitEchoJob(db, { examples: 1 });
      if (what === 'giving up') await db.query(`UPDATE shards SET starts = $2 WHERE job_id = $1`, [job.jobId, MAX_STARTS]);
      const [shard] = await dispatchNow(db, job.jobId);
      // The claim has read the epoch and waits for the job's row while the halt commits.
      const before = await db.transaction(async (tx) => {
        await tx.query(`SELECT 1 FROM targets FOR UPDATE`);
        await tx.query(`SELECT 1 FROM runs WHERE job_id = $1 FOR UPDATE`, [job.jobId]);
        const claim = claimAs(db, shard!);
        await expect.poll(() => waiters(db)).toBe(1);
        await db.query(`UPDATE control SET halt_epoch = halt_epoch + 1`);
        return { claim };
      });
      expect(await before.claim).toEqual({ outcome: 'ignore' });
      expect((await readShards(db, job.jobId))[0]).toMatchObject({ state: 'dispatched', fence: '0', costReserved: '0' });
      expect(await readTopics(db, job.jobId)).toEqual(['job.admitted']);
      await checkRecord(db, job.jobId);
    });
  });
});

/** Sessions of this database that wait for a lock. */
async function waiters(db: Database): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row!.n;
}
