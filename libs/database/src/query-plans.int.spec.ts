import { admitEchoJob, DEFAULT_PROJECT, ECHO_QUEUE, insertEchoSuite, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.js';
import { finishableJobs, stoppedJobs } from './jobs/finishable-jobs.js';
import { endStoppedShards } from './jobs/stop-job.js';
import { readPageExamples, readPageOutcomes } from './outcomes/read-page.js';
import { readReplayPage } from './outcomes/read-replay-page.js';
import { readOutcomePage } from './reading/outcome-page.js';
import { readReducedOutcomePage } from './reading/reduced-outcome-page.js';
import { takeOutbox } from './outbox/take-outbox.js';
import { explain } from './query-plan.fixture.js';
import { dispatchShards, unclaimedShards } from './shards/dispatch-shards.js';
import { dispatchView, queueSlots } from './shards/dispatch-view.js';
import { heartbeatShards } from './shards/heartbeat-shards.js';
import { type Lease } from './shards/lease.js';
import { loadShard } from './shards/load-shard.js';
import { reapExpired } from './shards/reap-expired.js';
import { claimAs } from './shards/shard-flow.fixture.js';
import { publishModels, registerWorker } from './workers/register-worker.js';

/** Tables that grow with use: none of them may be read from end to end by what runs every second. */
const GROWING = new Set(['jobs', 'runs', 'shards', 'outcomes', 'traces', 'examples', 'suite_version_examples', 'outbox', 'usage_ledger']);
/** Examples of the large job that really exist; its shards claim a million samples. */
const STORED = 12_000;

/** A job of a million samples in the middle of its work, and a long past. */
describe('hot reads beside a million samples', () => {
  let db: Database;
  let jobId: string;
  let lease: Lease;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 4, statementTimeoutMs: 120_000 });
    await insertPast(db);
    const suite = await insertEchoSuite(db, STORED);
    const job = await admitEchoJob(db, { suite: { ...suite, exampleCount: 500_000 }, arms: 2, shardExamples: 250 });
    jobId = job.jobId;
    await insertResults(db, job.runIds[0]!);
    const workerId = randomUUID();
    await registerWorker(db, { id: workerId, pool: 'cpu', hostname: 'host', pid: 1, slots: 32 });
    await publishModels(db, workerId, [ECHO_QUEUE], [], '0');
    const [first, ...others] = await dispatchShards(db, jobId, ECHO_QUEUE, 64);
    const claimed = await claimAs(db, first!);
    if (claimed.outcome !== 'leased') throw new Error(claimed.outcome);
    lease = claimed.lease;
    await Promise.all(others.slice(0, 32).map((shard) => claimAs(db, shard)));
    await db.query('ANALYZE');
  });
  afterAll(() => db.close());

  it.for<[string, (database: Database) => Promise<unknown>]>([
    ['dispatchView', (database) => dispatchView(database, 64)],
    ['queueSlots', (database) => queueSlots(database, 30_000)],
    ['dispatchShards', (database) => dispatchShards(database, jobId, ECHO_QUEUE, 64)],
    ['unclaimedShards', (database) => unclaimedShards(database, 2_000, 500)],
    ['reapExpired', (database) => reapExpired(database, 500)],
    ['heartbeatShards', (database) => heartbeatShards(database, [lease], 30_000)],
    ['finishableJobs', (database) => finishableJobs(database, 20)],
    ['stoppedJobs', (database) => stoppedJobs(database, 500)],
    ['endStoppedShards', (database) => endStoppedShards(database, jobId)],
    ['takeOutbox', (database) => takeOutbox(database, 500)],
    ['loadShard', (database) => loadShard(database, lease)],
    [
      'readPageExamples',
      (database) => readPageExamples(database, { jobId, suiteVersionId: lease.suiteVersionId, first: 6_000, count: 500 }),
    ],
    ['readPageOutcomes', (database) => readPageOutcomes(database, { runId: lease.runId, first: 6_000, count: 500 })],
  ])('%s reads by index, and little more than it needs', async ([name, work], { annotate }) => {
    const plans = await explain(db, work);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      await annotate(`${name}: ${plan.ms.toFixed(1)} ms`);
      expect(
        plan.seqScans.filter((table) => GROWING.has(table)),
        plan.text,
      ).toEqual([]);
      expect(plan.removed, plan.text).toBeLessThan(500);
    }
  });
});

/** 5000 finished jobs, 200 of them with their shards, and 100 000 outbox entries that were published. */
async function insertPast(db: Database): Promise<void> {
  const { jobId } = await admitEchoJob(db, { examples: 1 });
  await db.query(`UPDATE shards SET state = 'done', end_reason = 'completed', done_at = now(), dispatched_at = now() - interval '1 h'`);
  await db.query(`UPDATE jobs SET state = 'completed', finished_at = now()`);
  const clone = (table: string, columns: string, from: string) =>
    db.query(`INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object(${columns}))).* FROM ${table} t, ${from}`);
  const state = `CASE WHEN n % 4 = 0 THEN 'cancelled' ELSE 'completed' END`;
  const stopReason = `CASE WHEN n % 4 = 0 THEN 'cancelled' END`;
  await clone('jobs', `'id', gen_random_uuid(), 'state', ${state}, 'stop_reason', ${stopReason}`, 'generate_series(1, 5000) n');
  await clone('runs', `'id', gen_random_uuid(), 'job_id', j.id`, `(SELECT id FROM jobs WHERE id <> '${jobId}') j`);
  await db.query(
    `INSERT INTO shards (id, project_id, job_id, run_id, block, first_ordinal, count, state, queue, end_reason, done_at, dispatched_at)
     SELECT gen_random_uuid(), r.project_id, r.job_id, r.id, n, n, 1, 'done', r.queue, 'completed', now(), now() - interval '1 h'
       FROM (SELECT * FROM runs WHERE job_id <> $1 LIMIT 200) r, generate_series(0, 99) n`,
    [jobId],
  );
  await db.query(
    `INSERT INTO outbox (topic, job_id, published_at)
     SELECT 'shard.ended', $1, now() - n * interval '1 s' FROM generate_series(1, 100000) n`,
    [jobId],
  );
}

/** Pages of a run's results, as lists, exports and replay records read them. */
describe('a page of 500 in a run of 12,000', () => {
  const LIMIT = 500;
  let db: Database;
  let run: { runId: string; suiteVersionId: string };
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 4, statementTimeoutMs: 120_000 });
    const suite = await insertEchoSuite(db, STORED);
    const { runIds } = await admitEchoJob(db, { suite, arms: 20 });
    for (const runId of runIds) await insertResults(db, runId);
    run = { runId: runIds[0]!, suiteVersionId: suite.versionId };
    await db.query('ANALYZE');
  });
  afterAll(() => db.close());

  const after = { ordinal: 6_000, completionIndex: 0 };
  it.for<[string, (database: Database) => Promise<unknown>]>([
    ['readReplayPage', (database) => readReplayPage(database, { ...run, after, limit: LIMIT })],
    ['readOutcomePage', (database) => readOutcomePage(database, { ...run, kinds: null, after, limit: LIMIT })],
    ['readReducedOutcomePage', (database) => readReducedOutcomePage(database, { ...run, kinds: null, afterOrdinal: 6_000, limit: LIMIT })],
  ])('%s reads its own rows and no others, with the costs that a server assumes', async ([, work]) => {
    for (const plan of await explain(db, work, { randomPageCost: 4 })) {
      // An outcome, its trace, its place in the suite and its example, and of each what a join reads twice.
      expect(plan.read, plan.text).toBeLessThanOrEqual(8 * LIMIT);
      expect(plan.removed, plan.text).toBe(0);
    }
  });
});

/** Outcomes, raw and reduced, and traces of the stored examples. */
async function insertResults(db: Database, runId: string): Promise<void> {
  await db.query(
    `WITH t AS (
       INSERT INTO traces (id, project_id, run_id, ordinal, completion_index, raw, answer_start, answer_end, stop_reason, prompt_tokens,
                           completion_tokens, latency_ms, cost, price_basis)
       SELECT gen_random_uuid(), $2, $1, i, 0, 'answer', 0, 6, 'stop', 5, 5, i, 0, 'free' FROM generate_series(0, $3 - 1) i
       RETURNING id, ordinal),
     raw AS (
       INSERT INTO outcomes (run_id, ordinal, completion_index, project_id, trace_id, scorer_id, kind, score, fence)
       SELECT $1, ordinal, 0, $2, id, 1, 'pass', 1, 1 FROM t)
     INSERT INTO reduced_outcomes (run_id, scorer_id, project_id, ordinal, kind, score, representative, num_pass, num_fail, num_invalid,
                                   num_error, num_skipped)
     SELECT $1, 0, $2, ordinal, 'pass', 1, 0, 1, 0, 0, 0, 0 FROM t`,
    [runId, DEFAULT_PROJECT, STORED],
  );
}
