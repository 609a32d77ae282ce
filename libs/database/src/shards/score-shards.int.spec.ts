import { admitEchoJob, type EchoJob, ECHO_QUEUE, echoAdmission, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { admitJob, withAdmission } from '../jobs/admit-job.js';
import { findJob } from '../reading/find-job.js';
import { claimShard } from './claim-shard.js';
import { endAttempt } from './end-attempt.js';
import { findScores } from './find-scores.js';
import { type Lease } from './lease.js';
import { loadUnscored, type UnscoredSample } from './load-unscored.js';
import { recordScores } from './record-outcomes.js';
import { type ScoredTrace } from './recorded-sample.js';
import { claimAs, dispatchNow, leaseNext, readBudget, readShards, record, sampleOf, samplesOf } from './shard-flow.fixture.js';

const SCORE_QUEUE = 'shards.cpu.judge';
const NOTHING = {
  promptTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 0,
  costNano: 0n,
  priceBasis: 'free',
  durationMs: 1,
};
const PRICED = { kind: 'per_token', input: '1', output: '2' };

describe('shards in phase score', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 20 });
  });
  afterAll(() => db.close());

  const leaseScore = async (job: Pick<EchoJob, 'jobId'>): Promise<Lease> => {
    const [shard] = await dispatchNow(db, job.jobId, 1, SCORE_QUEUE);
    const claim = await claimAs(db, shard!);
    if (claim.outcome !== 'leased') throw new Error(`the claim came to ${claim.outcome}`);
    return claim.lease;
  };

  const scored = ({ ordinal, completionIndex, trace }: UnscoredSample, rest: Partial<ScoredTrace> = {}): ScoredTrace => ({
    ordinal,
    completionIndex,
    scorerId: 9,
    traceId: trace?.id ?? null,
    kind: 'pass',
    score: 1,
    detail: { because: 'judged' },
    rawValue: 4,
    skipReason: null,
    judgeIdentity: 'sha256:judge',
    usage: { calls: 1 },
    error: null,
    ...rest,
  });

  const score = (lease: Lease, samples: ScoredTrace[], { part = 0, final = true, costNano = 0n } = {}): Promise<void> =>
    recordScores(db, lease, { samples, usage: { ...NOTHING, samples: samples.length, costNano }, part, final });

  /** Generates everything of a job, storing traces only; every third sample fails. */
  const generate = async (job: EchoJob): Promise<void> => {
    for (const shard of await dispatchNow(db, job.jobId)) {
      const claim = await claimAs(db, shard);
      if (claim.outcome !== 'leased') continue;
      const samples = samplesOf(claim.lease).map((sample, index) =>
        index % 3 === 2 ? sampleOf(sample.ordinal, sample.completionIndex, { kind: 'error' }) : { ...sample, kind: null },
      );
      await record(db, claim.lease, samples, { final: true });
    }
  };

  it('open when their traces are stored, in the queue for scoring, and make the outcomes', async () => {
    const job = await admitEchoJob(db, { examples: 3, shardExamples: 3, scoreQueue: SCORE_QUEUE });
    await generate(job);
    expect(await db.query(`SELECT kind::text FROM outcomes WHERE run_id = $1`, [job.runIds[0]])).toEqual([{ kind: 'error' }]);
    expect(await readShards(db, job.jobId)).toMatchObject([
      { state: 'done', recorded: 3, passed: 0 },
      { state: 'waiting', recorded: 1, passed: 0 },
    ]);
    const lease = await leaseScore(job);
    expect(lease).toMatchObject({ phase: 'score', scoredLater: false, sourceRunId: job.runIds[0], count: 3 });
    const unscored = await loadUnscored(db, lease);
    expect(unscored.map(({ ordinal, trace }) => [ordinal, trace!.raw.toString()])).toEqual([
      [0, '0'],
      [1, '1'],
    ]);
    await score(lease, [scored(unscored[0]!), scored(unscored[1]!, { kind: 'fail', score: 0.25 })]);
    expect(
      await db.query(`SELECT ordinal, kind::text, score, trace_id IS NOT NULL AS traced FROM outcomes WHERE run_id = $1 ORDER BY 1`, [
        job.runIds[0],
      ]),
    ).toEqual([
      { ordinal: 0, kind: 'pass', score: 1, traced: true },
      { ordinal: 1, kind: 'fail', score: 0.25, traced: true },
      { ordinal: 2, kind: 'error', score: 0, traced: false },
    ]);
    const detail = await findJob(db, '00000000-0000-7000-8000-000000000001', job.jobId);
    expect(detail!.job.progress).toEqual({ recorded: 3, passed: 1, scoreSum: 1.25, generated: 3 });
    expect(detail!.runs[0]!.recorded).toBe(3);
    expect((await readShards(db, job.jobId)).every(({ state }) => state === 'done')).toBe(true);
  });

  it('go on where an attempt ended: each score is kept as it comes', async () => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2, scoreQueue: SCORE_QUEUE });
    await generate(job);
    const first = await leaseScore(job);
    const [one] = await loadUnscored(db, first);
    await score(first, [scored(one!)], { final: false });
    await endAttempt(db, first, { kind: 'released' });
    const second = await leaseScore(job);
    const rest = await loadUnscored(db, second);
    expect(rest.map(({ ordinal }) => ordinal)).toEqual([1]);
    await score(
      second,
      rest.map((sample) => scored(sample)),
    );
    expect((await readShards(db, job.jobId)).map(({ state, recorded }) => [state, recorded])).toEqual([
      ['done', 2],
      ['done', 2],
    ]);
  });

  it('may be cut: what is recorded of each part is counted again', async () => {
    const job = await admitEchoJob(db, { examples: 4, shardExamples: 4, scoreQueue: SCORE_QUEUE });
    await generate(job);
    await db.query(`UPDATE shards SET crashes = 2 WHERE job_id = $1 AND phase = 'score'`, [job.jobId]);
    const lease = await leaseScore(job);
    expect(lease.count).toBe(1);
    expect((await readShards(db, job.jobId)).map(({ first, count, recorded }) => [first, count, recorded])).toEqual([
      [0, 4, 4],
      [0, 1, 0],
      [1, 3, 1],
    ]);
  });

  it('keep the first score of a trace by a scorer, whichever run asks; an error is no score', async () => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2 });
    const generating = await leaseNext(db, job);
    await record(db, generating, samplesOf(generating), { final: true });
    const [first, second] = [await rescore(job), await rescore(job)];
    const [a, b] = [await leaseScore(first), await leaseScore(second)];
    expect(a).toMatchObject({ phase: 'score', sourceRunId: job.runIds[0] });
    const samples = await loadUnscored(db, a);
    await score(a, [scored(samples[0]!), scored(samples[1]!, { kind: 'error', score: 0, error: { code: 'judge_down', message: 'x' } })]);
    const traceIds = samples.map(({ trace }) => trace!.id);
    expect(await findScores(db, traceIds, [9])).toEqual([{ traceId: traceIds[0], scorerId: 9, kind: 'pass', value: 1 }]);
    await score(b, [scored(samples[0]!, { kind: 'fail', score: 0 }), scored(samples[1]!, { kind: 'fail', score: 0.5 })]);
    expect(await outcomesOf(second)).toEqual(['pass 1', 'fail 0.5']);
    expect(await outcomesOf(first)).toEqual(['pass 1', 'error 0']);
    expect(await db.query(`SELECT count(*)::int AS n FROM traces WHERE run_id = ANY ($1::uuid[])`, [[a.runId, b.runId]])).toEqual([
      { n: 0 },
    ]);
  });

  it('of a rescore meet the samples that were not measured', async () => {
    const job = await admitEchoJob(db, { examples: 1 });
    const generating = await leaseNext(db, job);
    await record(db, generating, [sampleOf(0, 0, { kind: 'error' })], { final: true });
    const again = await rescore(job);
    const lease = await leaseScore(again);
    const unscored = await loadUnscored(db, lease);
    expect(unscored).toEqual([
      { ordinal: 0, completionIndex: 0, trace: null, ended: { kind: 'error', code: 'boom', message: 'it broke' } },
    ]);
    await score(lease, [scored(unscored[0]!, { kind: 'error', score: 0, error: { code: 'boom', message: 'it broke' } })]);
    expect(await outcomesOf(again)).toEqual(['error 0']);
  });

  it('reserve what judging can cost by the longest trace, and are capped like generation', async () => {
    const job = await admitEchoJob(db, { examples: 2, shardExamples: 2 });
    const generating = await leaseNext(db, job);
    await record(db, generating, [sampleOf(0, 0, { raw: Buffer.from('x'.repeat(1000)) }), sampleOf(1)], { final: true });
    const judging = {
      targets: { '[null,null]': { ...echoAdmission(job.suite).runs[0]!.target, pricing: PRICED as never } },
      calls: 2,
      overheadTokens: 100,
      traceFactor: 1,
      exampleFactor: 0,
      maxTokens: 50,
    };
    // One call: (100 + 1000) × 1 + 50 × 2 USD a million tokens; two calls a sample.
    const perSample = 2_400_000;
    const affordable = await rescore(job, { judging, costCapNano: BigInt(perSample * 2) });
    const lease = await leaseScore(affordable);
    expect(lease).toMatchObject({ count: 2, costBoundNano: BigInt(perSample), tokenBound: 2300n });
    expect(await readBudget(db, affordable.jobId)).toMatchObject({ costHeld: perSample * 2 });
    await score(
      lease,
      (await loadUnscored(db, lease)).map((sample) => scored(sample)),
      { costNano: 7n },
    );
    expect(await readBudget(db, affordable.jobId)).toMatchObject({ cost: 7, costHeld: 0 });
    expect(await db.query(`SELECT purpose, samples FROM usage_ledger WHERE job_id = $1`, [affordable.jobId])).toEqual([
      { purpose: 'judge', samples: 2 },
    ]);

    const poor = await rescore(job, { judging, costCapNano: BigInt(perSample - 1) });
    const [shard] = await dispatchNow(db, poor.jobId, 1, SCORE_QUEUE);
    const claim = await claimShard(db, { ...shard!, workerId: randomUUID(), leaseTtlMs: 1000 });
    expect(claim).toEqual({ outcome: 'end' });
    expect(await db.query(`SELECT stop_reason AS reason FROM jobs WHERE id = $1`, [poor.jobId])).toEqual([{ reason: 'cost_cap' }]);
  });

  async function rescore(
    job: EchoJob,
    { judging = null, costCapNano = null }: { judging?: unknown; costCapNano?: bigint | null } = {},
  ): Promise<{ jobId: string }> {
    const admission = echoAdmission(job.suite, { shardExamples: 4, costCapNano });
    const runs = admission.runs.map((run) => ({
      ...run,
      costBoundNano: 0n,
      tokenBound: 0n,
      sourceRunId: job.runIds[0]!,
      scorer: { kind: 'contains', phrases: ['1'] } as never,
      judging: judging as never,
      scoreQueue: SCORE_QUEUE,
      queue: ECHO_QUEUE,
    }));
    const jobId = await withAdmission(db, (tx, epoch) =>
      admitJob(tx, { ...admission, kind: 'rescore', runs, sourceJobId: job.jobId }, epoch),
    );
    return { jobId };
  }

  async function outcomesOf({ jobId }: { jobId: string }): Promise<string[]> {
    const rows = await db.query<{ text: string }>(
      `SELECT o.kind || ' ' || o.score AS text FROM outcomes o JOIN runs r ON r.id = o.run_id WHERE r.job_id = $1 ORDER BY o.ordinal`,
      [jobId],
    );
    return rows.map((row) => row.text);
  }
});
