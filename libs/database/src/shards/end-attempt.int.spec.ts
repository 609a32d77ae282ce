import { admitEchoJob, startPostgres } from '@kiln/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { checkRecord } from './check-record.fixture.js';
import { type AttemptEnd, endAttempt } from './end-attempt.js';
import { StaleLeaseError } from './lease.js';
import { leaseNext, readBudget, readShards, readTopics, record, sampleOf } from './shard-flow.fixture.js';

describe('endAttempt', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase());
  });
  afterAll(() => db.close());

  it.each<[AttemptEnd, object]>([
    [{ kind: 'released' }, { state: 'waiting', end: null, starts: 0, crashes: 0 }],
    [{ kind: 'crashed' }, { state: 'waiting', end: null, starts: 0, crashes: 1 }],
    [
      { kind: 'retry', delayMs: 60_000 },
      { state: 'waiting', end: null, starts: 1, crashes: 0 },
    ],
    [
      { kind: 'stopped', reason: 'cancelled' },
      { state: 'done', end: 'cancelled', starts: 1, crashes: 0 },
    ],
    [
      { kind: 'stopped', reason: 'halted' },
      { state: 'done', end: 'halted', starts: 1, crashes: 0 },
    ],
  ])('%o', async (end, expected) => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2 });
    const lease = await leaseNext(db, job);
    await endAttempt(db, lease, end);
    expect((await readShards(db, job.jobId))[0]).toMatchObject({ ...expected, costReserved: '0', tokensReserved: '0' });
    expect(await readBudget(db, job.jobId)).toEqual({ cost: 0, costHeld: 0, tokens: 0, tokensHeld: 0 });
    expect(await readTopics(db, job.jobId)).toEqual(['job.admitted', 'shard.ended']);
    const [row] = await db.query(
      `SELECT claim_token AS token, lease_until AS until, worker_id AS worker, done_at IS NOT NULL AS done,
              not_before > now() + interval '50 s' AS held FROM shards WHERE job_id = $1`,
      [job.jobId],
    );
    expect(row).toEqual({ token: null, until: null, worker: null, done: end.kind === 'stopped', held: end.kind === 'retry' });
    await expect(endAttempt(db, lease, end)).rejects.toThrow(StaleLeaseError);
    await checkRecord(db, job.jobId);
  });

  it('keeps what was recorded, and the next attempt reserves for the rest', async () => {
    const job = await admitEchoJob(db, { examples: 3, shardExamples: 3, costBoundNano: 10n });
    const lease = await leaseNext(db, job);
    await record(db, lease, [sampleOf(1)]);
    await endAttempt(db, lease, { kind: 'crashed' });
    expect((await readShards(db, job.jobId))[0]).toMatchObject({ recorded: 1, starts: 0, crashes: 1 });
    await leaseNext(db, job);
    expect(await readBudget(db, job.jobId)).toMatchObject({ costHeld: 20 });
    await checkRecord(db, job.jobId);
  });
});
