import { admitEchoJob, DEFAULT_PROJECT, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { checkRecord } from '../shards/check-record.fixture.js';
import {
  claimAs,
  dispatchNow,
  leaseNext,
  readJob,
  readShards,
  readTopics,
  record,
  runToTheEnd,
  samplesOf,
  TESTER,
} from '../shards/shard-flow.fixture.js';
import { failJob, finishJob } from './finish-job.js';
import { finishableJobs, stoppedJobs } from './finishable-jobs.js';
import { cancelJob, endStoppedShards, stopHaltedJobs } from './stop-job.js';

let db: Database;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase(), { max: 60 });
});
afterAll(() => db.close());

const cancel = (jobId: string) => cancelJob(db, DEFAULT_PROJECT, jobId, TESTER);

describe('cancelJob', () => {
  it('is audited once, however often it is repeated', async () => {
    const job = await admitEchoJob(db, { examples: 2 });
    await leaseNext(db, job);
    for (let time = 0; time < 3; time += 1) await cancel(job.jobId);
    const rows = await db.query(`SELECT actor, source FROM audit_log WHERE action = 'job.cancel' AND subject = $1`, [job.jobId]);
    expect(rows).toEqual([TESTER]);
  });

  it('ends a queued job with all its shards', async () => {
    const job = await admitEchoJob(db);
    await dispatchNow(db, job.jobId, 2);
    expect(await cancel(job.jobId)).toEqual({ found: true, was: 'queued', state: 'cancelled' });
    expect(await readJob(db, job.jobId)).toEqual({ state: 'cancelled', stopReason: 'cancelled' });
    expect((await readShards(db, job.jobId)).map((shard) => [shard.state, shard.end])).toEqual(Array(4).fill(['done', 'cancelled']));
    expect(await readTopics(db, job.jobId)).toEqual(['job.admitted', 'job.finished']);
    await checkRecord(db, job.jobId);
  });

  it('asks a running job to stop: its lease goes on until it is given back', async () => {
    const job = await admitEchoJob(db);
    const lease = await leaseNext(db, job);
    for (let turn = 0; turn < 2; turn += 1) expect(await cancel(job.jobId)).toEqual({ found: true, was: 'running', state: 'cancelling' });
    expect((await readShards(db, job.jobId)).map((shard) => shard.state)).toEqual(['leased', 'done', 'done', 'done']);
    expect(await finishableJobs(db, 10)).not.toContain(job.jobId);
    await record(db, lease, samplesOf(lease), { final: true });
    expect(await finishableJobs(db, 10)).toContain(job.jobId);
    expect(await readTopics(db, job.jobId)).toEqual(['job.admitted', 'job.stopped', 'shard.ended']);
  });

  it('leaves a finished job as it is', async () => {
    const job = await admitEchoJob(db);
    await runToTheEnd(db, job);
    await finishJob(db, { jobId: job.jobId, projectId: DEFAULT_PROJECT, state: 'completed', runs: [], comparisons: [] });
    expect(await cancel(job.jobId)).toEqual({ found: true, was: 'terminal', state: 'completed' });
    expect(await readJob(db, job.jobId)).toEqual({ state: 'completed', stopReason: null });
  });

  it('keeps the reason of a job that was capped before', async () => {
    const job = await admitEchoJob(db, { costBoundNano: 10n, costCapNano: 10n });
    const lease = await leaseNext(db, job);
    await db.query(`UPDATE jobs SET stop_reason = 'cost_cap' WHERE id = $1`, [job.jobId]);
    await cancel(job.jobId);
    expect(await readJob(db, job.jobId)).toEqual({ state: 'cancelling', stopReason: 'cost_cap' });
    expect((await readShards(db, job.jobId)).map((shard) => shard.end)).toEqual([null, 'capped', 'capped', 'capped']);
    expect(lease.firstOrdinal).toBe(0);
  });

  it('knows only the jobs of the project', async () => {
    const job = await admitEchoJob(db);
    expect(await cancelJob(db, randomUUID(), job.jobId, TESTER)).toEqual({ found: false });
    expect(await cancelJob(db, DEFAULT_PROJECT, randomUUID(), TESTER)).toEqual({ found: false });
    expect(await readJob(db, job.jobId)).toEqual({ state: 'queued', stopReason: null });
  });

  it.each(['queued', 'running'])('has one winner when 100 cancels race the end of a %s job', async (state) => {
    const job = await admitEchoJob(db, { examples: 2 });
    if (state === 'running') await runToTheEnd(db, job);
    const finish = () => finishJob(db, { jobId: job.jobId, projectId: DEFAULT_PROJECT, state: 'completed', runs: [], comparisons: [] });
    const cancels = Array.from({ length: 100 }, () => cancel(job.jobId));
    const [finished, ...results] = await Promise.all([finish(), ...cancels]);
    const { state: final } = await readJob(db, job.jobId);
    // A cancel that came first makes it `cancelling`; the finish that follows ends it.
    expect(final).toBe(finished ? 'completed' : 'cancelled');
    expect(results.every((result) => result.found)).toBe(true);
    expect((await readTopics(db, job.jobId)).filter((topic) => topic === 'job.finished')).toHaveLength(1);
    expect((await readTopics(db, job.jobId)).filter((topic) => topic === 'job.stopped').length).toBeLessThanOrEqual(1);
    expect(await cancel(job.jobId)).toEqual({ found: true, was: 'terminal', state: final });
  });

  it('ends what waits in a job of many shards, and no claim starts after it', async ({ annotate }) => {
    const job = await admitEchoJob(db, { examples: 4_000 });
    const dispatched = await dispatchNow(db, job.jobId, 20);
    const claims = dispatched.map((shard) => claimAs(db, shard));
    const startedAt = performance.now();
    await cancel(job.jobId);
    await annotate(`cancel of a job with 4000 shards: ${(performance.now() - startedAt).toFixed(0)} ms`);
    await Promise.all(claims);
    await endStoppedShards(db, job.jobId);
    const states = new Set((await readShards(db, job.jobId)).map((shard) => shard.state));
    expect([...states].filter((state) => state !== 'done' && state !== 'leased')).toEqual([]);
    expect(await dispatchNow(db, job.jobId)).toEqual([]);
  });
});

describe('stoppedJobs', () => {
  it('finds what a cancel had to skip, also in a job that has ended', async () => {
    const job = await admitEchoJob(db, { examples: 2 });
    await dispatchNow(db, job.jobId, 1);
    const [held] = await readShards(db, job.jobId);
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM shards WHERE id = $1 FOR UPDATE`, [held!.id]);
      await cancel(job.jobId);
    });
    expect((await readShards(db, job.jobId)).map((shard) => shard.state)).toEqual(['dispatched', 'done']);
    expect(await stoppedJobs(db, 10)).toEqual([job.jobId]);
    expect(await endStoppedShards(db, job.jobId)).toBe(1);
    expect(await stoppedJobs(db, 10)).toEqual([]);
  });

  it('leaves running jobs and those whose shards are leased or done', async () => {
    const [running, leased] = [await admitEchoJob(db), await admitEchoJob(db, { examples: 1 })];
    await leaseNext(db, running);
    await leaseNext(db, leased);
    await cancel(leased.jobId);
    expect(await stoppedJobs(db, 10)).toEqual([]);
    expect(await endStoppedShards(db, running.jobId)).toBe(0);
  });
});

describe('stopHaltedJobs', () => {
  it('stops the jobs of the old epoch, once, and no others', async () => {
    const [queued, running, cancelling, done] = [
      await admitEchoJob(db),
      await admitEchoJob(db),
      await admitEchoJob(db),
      await admitEchoJob(db),
    ];
    await leaseNext(db, running);
    await leaseNext(db, cancelling);
    await cancel(cancelling.jobId);
    await cancel(done.jobId);
    await db.query(`UPDATE control SET halt_epoch = halt_epoch + 1`);
    const fresh = await admitEchoJob(db);
    const stopped = await stopHaltedJobs(db);
    expect(stopped).toEqual(expect.arrayContaining([queued.jobId, running.jobId, cancelling.jobId]));
    expect(stopped).not.toContain(done.jobId);
    expect(stopped).not.toContain(fresh.jobId);
    expect(await stopHaltedJobs(db)).toEqual([]);
    for (const { jobId } of [queued, running, cancelling])
      expect(await readJob(db, jobId)).toEqual({ state: 'cancelling', stopReason: 'halted' });
    await endStoppedShards(db, queued.jobId);
    expect(await finishableJobs(db, 50)).toContain(queued.jobId);
    expect((await readShards(db, queued.jobId)).map((shard) => shard.end)).toEqual(Array(4).fill('halted'));
  });

  it('marks a job before it may be finished, also when claims have ended all its shards', async () => {
    const job = await admitEchoJob(db, { examples: 2 });
    const dispatched = await dispatchNow(db, job.jobId);
    await db.query(`UPDATE control SET halt_epoch = halt_epoch + 1`);
    for (const shard of dispatched) expect(await claimAs(db, shard)).toEqual({ outcome: 'end' });
    expect(await finishableJobs(db, 1_000)).not.toContain(job.jobId);
    await stopHaltedJobs(db);
    expect(await finishableJobs(db, 1_000)).toContain(job.jobId);
    expect(await readJob(db, job.jobId)).toMatchObject({ stopReason: 'halted' });
  });
});

describe('failJob', () => {
  it('ends a job once, with its reason', async () => {
    const job = await admitEchoJob(db);
    await failJob(db, job.jobId, 'x'.repeat(2_000));
    await failJob(db, job.jobId, 'again');
    const [row] = await db.query(
      `SELECT state::text, length(error) AS length, finished_at IS NOT NULL AS finished FROM jobs WHERE id = $1`,
      [job.jobId],
    );
    expect(row).toEqual({ state: 'failed', length: 1_000, finished: true });
    expect(await readTopics(db, job.jobId)).toEqual(['job.admitted', 'job.finished']);
  });
});
