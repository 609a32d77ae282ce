import { admitEchoJob, type EchoJob, startPostgres } from '@kiln/testing';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { checkRecord } from './check-record.fixture.js';
import { endAttempt } from './end-attempt.js';
import { type Lease, StaleLeaseError } from './lease.js';
import { recordOutcomes, recordWaste } from './record-outcomes.js';
import { reapExpired } from './reap-expired.js';
import { expire, leaseNext, readBudget, readShards, readTopics, record, sampleOf, samplesOf, usageOf } from './shard-flow.fixture.js';

describe('recordOutcomes', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 20 });
  });
  afterAll(() => db.close());

  /** Everything that a write can touch, to compare before and after. */
  const snapshot = async (job: EchoJob): Promise<unknown> => {
    const tables = ['traces', 'outcomes', 'usage_ledger'].map(
      async (table) => await db.query(`SELECT * FROM ${table} WHERE run_id = ANY ($1::uuid[]) ORDER BY 1, 2, 3`, [job.runIds]),
    );
    const scores = db.query(`SELECT s.* FROM scores s JOIN traces t ON t.id = s.trace_id WHERE t.run_id = ANY ($1::uuid[]) ORDER BY 1`, [
      job.runIds,
    ]);
    return Promise.all([...tables, scores, readShards(db, job.jobId), readBudget(db, job.jobId), readTopics(db, job.jobId)]);
  };

  it('stores traces, scores and outcomes, counts them, settles and ends the shard in one write', async () => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2, k: 2, costBoundNano: 10n, tokenBound: 100n });
    const lease = await leaseNext(db, job);
    const samples = [
      sampleOf(0, 0, { costNano: 3n }),
      sampleOf(0, 1, { kind: 'fail', score: 0.5, costNano: 4n }),
      sampleOf(1, 0, { kind: 'invalid', costNano: 5n }),
      sampleOf(1, 1, { kind: 'error' }),
    ];
    await record(db, lease, samples, { final: true });
    expect((await readShards(db, job.jobId))[0]).toMatchObject({
      state: 'done',
      end: 'completed',
      recorded: 4,
      passed: 1,
      costReserved: '0',
      tokensReserved: '0',
    });
    expect(await readBudget(db, job.jobId)).toEqual({ cost: 12, costHeld: 0, tokens: 18, tokensHeld: 0 });
    expect(await readTopics(db, job.jobId)).toEqual(['job.admitted', 'shard.ended']);
    expect(
      await db.query(
        `SELECT ordinal, completion_index AS i, kind::text, score, error_code AS error, fence FROM outcomes WHERE run_id = $1 ORDER BY 1, 2`,
        [lease.runId],
      ),
    ).toEqual([
      { ordinal: 0, i: 0, kind: 'pass', score: 1, error: null, fence: '1' },
      { ordinal: 0, i: 1, kind: 'fail', score: 0.5, error: null, fence: '1' },
      { ordinal: 1, i: 0, kind: 'invalid', score: 0, error: null, fence: '1' },
      { ordinal: 1, i: 1, kind: 'error', score: 0, error: 'boom', fence: '1' },
    ]);
    await checkRecord(db, job.jobId);
  });

  it('keeps bytes as they are, and large texts aside, once', async () => {
    const job = await admitEchoJob(db, { examples: 3, shardExamples: 3 });
    const lease = await leaseNext(db, job);
    const hostile = Uint8Array.from([0, 255, 0xed, 0xa0, 0x80, 10]);
    const large = new Uint8Array(64 * 1024 + 1).fill(65);
    // A view into a larger buffer: only its own bytes count.
    const view = new Uint8Array(Uint8Array.from([9, 9, 1, 2, 9]).buffer, 2, 2);
    const samples = [
      sampleOf(0, 0, { raw: hostile }),
      sampleOf(1, 0, { raw: large, tokenIds: hostile }),
      sampleOf(2, 0, { raw: view, tokenIds: view }),
    ];
    await record(db, lease, samples, { final: true });
    const rows = await db.query<{ raw: Buffer | null; blob: Buffer | null; ids: Buffer | null }>(
      `SELECT raw, raw_blob AS blob, token_ids AS ids FROM traces WHERE run_id = $1 ORDER BY ordinal`,
      [lease.runId],
    );
    expect(rows.map(({ raw }) => raw && [...raw])).toEqual([[...hostile], null, [1, 2]]);
    expect(rows.map(({ ids }) => ids && [...ids])).toEqual([null, [...hostile], [1, 2]]);
    const digest = createHash('sha256').update(large).digest();
    expect(rows[1]!.blob!.equals(digest)).toBe(true);
    const [blob] = await db.query<{ size: number; bytes: Buffer }>(`SELECT size, bytes FROM blobs WHERE digest = $1`, [digest]);
    expect(blob!.size).toBe(large.byteLength);
    expect(blob!.bytes.equals(Buffer.from(large))).toBe(true);
  });

  it('counts part after part', async () => {
    const job = await admitEchoJob(db, { examples: 3, shardExamples: 3, costBoundNano: 10n });
    const lease = await leaseNext(db, job);
    for (const part of [0, 1, 2]) {
      await record(db, lease, [sampleOf(part)], { part, final: part === 2 });
      expect(await readBudget(db, job.jobId)).toMatchObject({ cost: part + 1, costHeld: 20 - part * 10 });
      await checkRecord(db, job.jobId);
    }
    expect((await readShards(db, job.jobId))[0]).toMatchObject({ state: 'done', recorded: 3 });
  });

  it.each([false, true])('changes nothing when a part is repeated after a lost answer (final: %s)', async (final) => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2 });
    const lease = await leaseNext(db, job);
    const batch = { samples: final ? samplesOf(lease) : [sampleOf(0)], usage: usageOf([sampleOf(0)]), part: 0, final };
    await recordOutcomes(db, lease, batch);
    const before = await snapshot(job);
    await recordOutcomes(db, lease, batch);
    await Promise.all([recordOutcomes(db, lease, batch), recordOutcomes(db, lease, batch)]);
    expect(await snapshot(job)).toEqual(before);
    // Also when the lease has been lost in between.
    await expire(db, lease.shardId);
    await reapExpired(db, 10);
    const later = await snapshot(job);
    await recordOutcomes(db, lease, batch);
    expect(await snapshot(job)).toEqual(later);
    await checkRecord(db, job.jobId);
  });

  it('writes one of two equal parts that arrive together', async () => {
    const job = await admitEchoJob(db, { examples: 1 });
    const lease = await leaseNext(db, job);
    const samples = samplesOf(lease);
    await Promise.all(Array.from({ length: 8 }, () => record(db, lease, samples, { final: true })));
    expect(await readBudget(db, job.jobId)).toEqual({ cost: 1, costHeld: 0, tokens: 6, tokensHeld: 0 });
    expect(await readTopics(db, job.jobId)).toEqual(['job.admitted', 'shard.ended']);
    await checkRecord(db, job.jobId);
  });

  it('counts a sample once, also when a later part holds it again', async () => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2, costBoundNano: 10n });
    const lease = await leaseNext(db, job);
    await record(db, lease, [sampleOf(0)]);
    await record(db, lease, [sampleOf(0, 0, { kind: 'fail' }), sampleOf(1)], { part: 1, final: true });
    expect((await readShards(db, job.jobId))[0]).toMatchObject({ recorded: 2, passed: 2 });
    // What was generated twice was paid twice.
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 3, costHeld: 0 });
    const [orphans] = await db.query(
      `SELECT count(*)::int AS n FROM scores s WHERE NOT EXISTS (SELECT 1 FROM traces t WHERE t.id = s.trace_id)`,
    );
    expect(orphans).toEqual({ n: 0 });
    await checkRecord(db, job.jobId);
  });

  it.each<[string, (lease: Lease, job: EchoJob) => Promise<Lease>]>([
    ['an old fence', async (lease) => ({ ...lease, fence: String(Number(lease.fence) - 1) })],
    ['a fence of the future', async (lease) => ({ ...lease, fence: String(Number(lease.fence) + 1) })],
    ['a foreign claim token', async (lease) => ({ ...lease, claimToken: randomUUID() })],
    [
      'an expired lease that was taken back',
      async (lease) => {
        await expire(db, lease.shardId);
        await reapExpired(db, 10);
        return lease;
      },
    ],
    [
      'a lease that another worker has by now',
      async (lease, job) => {
        await expire(db, lease.shardId);
        await reapExpired(db, 10);
        await leaseNext(db, job);
        return lease;
      },
    ],
    [
      'a lease that was given back',
      async (lease) => {
        await endAttempt(db, lease, { kind: 'released' });
        return lease;
      },
    ],
  ])('writes nothing under %s', async (_name, makeStale) => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2 });
    const stale = await makeStale(await leaseNext(db, job), job);
    const before = await snapshot(job);
    for (const final of [false, true]) await expect(record(db, stale, samplesOf(stale), { final })).rejects.toThrow(StaleLeaseError);
    await expect(endAttempt(db, stale, { kind: 'released' })).rejects.toThrow(StaleLeaseError);
    expect(await snapshot(job)).toEqual(before);
    await checkRecord(db, job.jobId);
  });

  it('charges what a zombie consumed, once, and the other worker goes on', async () => {
    const job = await admitEchoJob(db, { examples: 1, costBoundNano: 10n });
    const zombie = await leaseNext(db, job);
    await expire(db, zombie.shardId);
    await reapExpired(db, 10);
    const other = await leaseNext(db, job);
    expect(Number(other.fence)).toBe(Number(zombie.fence) + 1);
    const samples = samplesOf(zombie, { costNano: 7n });
    await expect(record(db, zombie, samples, { final: true })).rejects.toThrow(StaleLeaseError);
    for (let turn = 0; turn < 2; turn += 1) await recordWaste(db, zombie, 0, usageOf(samples));
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 7, costHeld: 10 });
    await record(db, other, samplesOf(other), { final: true });
    expect(await readBudget(db, job.jobId)).toMatchObject({ cost: 8, costHeld: 0 });
    expect(await db.query(`SELECT fence, purpose FROM usage_ledger WHERE job_id = $1 ORDER BY id`, [job.jobId])).toEqual([
      { fence: zombie.fence, purpose: 'wasted' },
      { fence: other.fence, purpose: 'sample' },
    ]);
    await checkRecord(db, job.jobId);
  });

  it('writes all of a part or nothing', async () => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2 });
    const lease = await leaseNext(db, job);
    const before = await snapshot(job);
    await expect(record(db, lease, [sampleOf(0), sampleOf(1, 0, { score: 1.5 })])).rejects.toThrow(/outcomes_score|scores_value/);
    expect(await snapshot(job)).toEqual(before);
    await record(db, lease, samplesOf(lease), { final: true });
    await checkRecord(db, job.jobId);
  });
});
