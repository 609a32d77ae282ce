import { KilnError } from '@kiln/contracts';
import { planShards } from '@kiln/running';
import { echoAdmission, type EchoSuite, insertEchoSuite, startPostgres } from '@kiln/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Queryable } from '../database.js';
import { checkRecord } from '../shards/check-record.fixture.js';
import { readShards, readTopics } from '../shards/shard-flow.fixture.js';
import { admitJob, withAdmission } from './admit-job.js';
import { stopHaltedJobs } from './stop-job.js';

let db: Database;
let suite: EchoSuite;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase(), { max: 60 });
  suite = await insertEchoSuite(db, 3);
});
beforeEach(async () => {
  await db.query(`UPDATE control SET halted = false`);
});
afterAll(() => db.close());

const admit = (tx: Queryable, haltEpoch: string): Promise<string> => admitJob(tx, echoAdmission(suite, { arms: 2 }), haltEpoch);
const countAll = async (): Promise<unknown> => {
  const tables = ['jobs', 'runs', 'shards', 'budgets', 'targets', 'outbox', 'audit_log'];
  const [row] = await db.query(`SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`);
  return row;
};
const halt = (client: Queryable): Promise<unknown> =>
  client.query(`UPDATE control SET halt_epoch = halt_epoch + 1, halted = true, reason = 'drill'`);

describe('admitJob', () => {
  it('stores a job with its runs, budget, shards, audit entry and outbox entry', async () => {
    const jobId = await withAdmission(db, (tx, haltEpoch) =>
      admitJob(
        tx,
        echoAdmission(suite, { arms: 2, k: 3, shardExamples: 2, costCapNano: 1_500_000_000n, tokenCap: 10n ** 12n, concurrency: 4 }),
        haltEpoch,
      ),
    );
    const [job] = await db.query(
      `SELECT kind::text, state::text, k, example_count, sample_count::int, concurrency, effective_seed::text,
              trim_scale(cost_cap)::text AS cost_cap, token_cap::text FROM jobs j JOIN budgets b ON b.job_id = j.id WHERE j.id = $1`,
      [jobId],
    );
    expect(job).toEqual({
      kind: 'compare',
      state: 'queued',
      k: 3,
      example_count: 3,
      sample_count: 18,
      concurrency: 4,
      effective_seed: '7',
      cost_cap: '1.5',
      token_cap: '1000000000000',
    });
    expect((await readShards(db, jobId)).map(({ run, first, count, state }) => [run, first, count, state])).toEqual([
      [0, 0, 2, 'waiting'],
      [1, 0, 2, 'waiting'],
      [0, 2, 1, 'waiting'],
      [1, 2, 1, 'waiting'],
    ]);
    expect(await readTopics(db, jobId)).toEqual(['job.admitted']);
    expect(await db.query(`SELECT actor, source, action, subject FROM audit_log WHERE subject = $1`, [jobId])).toEqual([
      { actor: 'test', source: 'test', action: 'job.admit', subject: jobId },
    ]);
    await checkRecord(db, jobId);
  });

  it('keeps the largest seed and the smallest amount exactly', async () => {
    const admission = { ...echoAdmission(suite, { costCapNano: 1n }), effectiveSeed: 2n ** 64n - 1n };
    const jobId = await withAdmission(db, (tx, haltEpoch) => admitJob(tx, admission, haltEpoch));
    expect(
      await db.query(
        `SELECT effective_seed::text AS seed, trim_scale(cost_cap)::text AS cap FROM jobs j JOIN budgets b ON b.job_id = j.id WHERE j.id = $1`,
        [jobId],
      ),
    ).toEqual([{ seed: '18446744073709551615', cap: '0.000000001' }]);
  });

  it('shares a target between jobs, also when they are admitted together with their arms in different orders', async () => {
    const admission = echoAdmission(suite, { arms: 2 });
    const reversed = { ...admission, runs: admission.runs.toReversed() };
    const jobIds = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        withAdmission(db, async (tx, haltEpoch) => {
          const jobId = await admitJob(tx, index % 2 ? reversed : admission, haltEpoch);
          await sleep(2);
          return jobId;
        }),
      ),
    );
    const [row] = await db.query(
      `SELECT count(*)::int AS runs, count(DISTINCT target_id)::int AS targets FROM runs WHERE job_id = ANY ($1::uuid[])`,
      [jobIds],
    );
    expect(row).toEqual({ runs: 80, targets: 2 });
  });
});

describe('withAdmission', () => {
  it('stores nothing of an admission that fails', async () => {
    const before = await countAll();
    const failing = withAdmission(db, async (tx, haltEpoch) => {
      await admit(tx, haltEpoch);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await expect(withAdmission(db, (tx, haltEpoch) => admitJob(tx, { ...echoAdmission(suite), k: 129 }, haltEpoch))).rejects.toThrow(
      /jobs_counts/,
    );
    expect(await countAll()).toEqual(before);
  });

  it('is refused while the fleet is halted, and says why', async () => {
    await halt(db);
    const before = await countAll();
    const refusal = await withAdmission(db, admit).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(KilnError);
    expect(refusal).toMatchObject({ code: 'halted', message: 'the fleet is halted: drill' });
    expect(await countAll()).toEqual(before);
    await db.query(`UPDATE control SET halted = false`);
    await withAdmission(db, admit);
  });

  it.for(['still halted', 'resumed by then'])(
    'is refused when a panic overtakes it (%s), and the panic does not wait',
    async (by, { annotate }) => {
      const before = await countAll();
      let waitedMs = Number.POSITIVE_INFINITY;
      const long = withAdmission(db, async (tx, haltEpoch) => {
        await admit(tx, haltEpoch);
        const startedAt = performance.now();
        await halt(db);
        waitedMs = performance.now() - startedAt;
        if (by === 'resumed by then') await db.query(`UPDATE control SET halted = false`);
        await sleep(100);
      });
      await expect(long).rejects.toMatchObject({ code: 'halted' });
      await annotate(`panic during an admission: ${waitedMs.toFixed(1)} ms`);
      expect(waitedMs).toBeLessThan(1_000);
      expect(await countAll()).toEqual(before);
    },
  );

  it('comes before a panic or is refused: of 200 at once, none is left to start', async () => {
    const [before] = await db.query<{ epoch: string }>(`SELECT halt_epoch AS epoch FROM control`);
    const admissions = Array.from({ length: 200 }, async (_, index) => {
      await sleep((index % 20) * 5);
      return withAdmission(db, admit);
    });
    const panic = sleep(60).then(() => db.query(`UPDATE control SET halt_epoch = halt_epoch + 1`));
    const results = await Promise.allSettled(admissions);
    await panic;
    const stopped = new Set(await stopHaltedJobs(db));
    const admitted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const jobs = await db.query<{ id: string; epoch: string; state: string }>(
      `SELECT id, halt_epoch AS epoch, state::text FROM jobs WHERE id = ANY ($1::uuid[])`,
      [admitted],
    );
    expect(jobs).toHaveLength(admitted.length);
    // The fleet was never marked as halted here: what began after the panic belongs to the new epoch.
    const old = jobs.filter((job) => job.epoch === before!.epoch);
    expect(old.filter((job) => !stopped.has(job.id) || job.state !== 'cancelling')).toEqual([]);
    expect(jobs.filter((job) => job.epoch !== before!.epoch && stopped.has(job.id))).toEqual([]);
  });
});

describe('admission at scale', () => {
  it.for([100_000, 1_000_000])('writes %i samples as ranges, without reading an example', async (samples, { annotate }) => {
    const ranges = planShards(samples / 2, 1, 0.001);
    const admission = echoAdmission({ ...suite, exampleCount: samples / 2 }, { arms: 2 });
    const planned = { ...admission, runs: admission.runs.map((run) => ({ ...run, shards: ranges })) };
    const startedAt = performance.now();
    const jobId = await withAdmission(db, (tx, haltEpoch) => admitJob(tx, planned, haltEpoch));
    await annotate(`admission of ${samples} samples in ${ranges.length * 2} shards: ${(performance.now() - startedAt).toFixed(0)} ms`);
    expect(await db.query(`SELECT count(*)::int AS shards, sum(count)::int AS examples FROM shards WHERE job_id = $1`, [jobId])).toEqual([
      { shards: ranges.length * 2, examples: samples },
    ]);
  });
});
