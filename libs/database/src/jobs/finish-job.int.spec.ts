import { type Metrics, type Verdict } from '@kiln/contracts';
import { admitEchoJob, DEFAULT_PROJECT, type EchoJob, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { leaseNext, readJob, readTopics, record, runToTheEnd, samplesOf } from '../shards/shard-flow.fixture.js';
import { finishableJobs } from './finishable-jobs.js';
import { type FinishedJob, finishJob } from './finish-job.js';
import { readFinishingJob } from './read-finishing-job.js';

let db: Database;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase(), { max: 20 });
});
afterAll(() => db.close());

const verdict: Verdict = {
  policy_version: 'paired_wilson_v1',
  baseline_run_index: 0,
  candidate_run_index: 1,
  outcome: 'kept',
  reason: 'it held',
  evidence: null,
  error_bounds: null,
  input_digest: 'sha256:input',
};

/** A metrics column keeps whatever JSON it is given. */
const metricsOf = (runId: string): { runId: string; metrics: Metrics } => ({ runId, metrics: { accuracy: 0.5 } as Metrics });

const finishedOf = (job: EchoJob): FinishedJob => ({
  jobId: job.jobId,
  projectId: DEFAULT_PROJECT,
  state: 'completed',
  runs: job.runIds.map(metricsOf),
  comparisons: [
    {
      baselineRunId: job.runIds[0]!,
      candidateRunId: job.runIds[1]!,
      inputDigest: 'sha256:input',
      body: '{"b":1,"a":2}',
      verdict: { verdict, body: '{"outcome":"kept"}' },
    },
  ],
});

describe('finishJob', () => {
  it('stores metrics, comparison and verdict, and ends the job', async () => {
    const job = await admitEchoJob(db, { arms: 2 });
    await runToTheEnd(db, job);
    expect(await finishJob(db, finishedOf(job))).toBe(true);
    expect(await readJob(db, job.jobId)).toEqual({ state: 'completed', stopReason: null });
    expect(await db.query(`SELECT metrics, finished_at IS NOT NULL AS finished FROM runs WHERE job_id = $1`, [job.jobId])).toEqual(
      Array(2).fill({ metrics: { accuracy: 0.5 }, finished: true }),
    );
    expect(
      await db.query(
        `SELECT c.body, v.body AS verdict, v.policy_version AS policy, v.outcome, v.input_digest AS digest
                        FROM comparisons c JOIN verdicts v ON v.comparison_id = c.id WHERE c.job_id = $1`,
        [job.jobId],
      ),
    ).toEqual([
      { body: '{"b":1,"a":2}', verdict: '{"outcome":"kept"}', policy: 'paired_wilson_v1', outcome: 'kept', digest: 'sha256:input' },
    ]);
  });

  it('changes nothing when it is repeated, one after the other or at once', async () => {
    const job = await admitEchoJob(db, { arms: 2 });
    await runToTheEnd(db, job);
    const finished = finishedOf(job);
    const results = await Promise.all(Array.from({ length: 10 }, () => finishJob(db, finished)));
    expect(results.filter(Boolean)).toHaveLength(1);
    const rows = () =>
      db.query(
        `SELECT j.finished_at, c.*, v.* FROM jobs j JOIN comparisons c ON c.job_id = j.id JOIN verdicts v ON v.job_id = j.id WHERE j.id = $1`,
        [job.jobId],
      );
    const before = await rows();
    expect(before).toHaveLength(1);
    expect(await finishJob(db, { ...finished, state: 'failed', comparisons: [{ ...finished.comparisons[0]!, body: '{}' }] })).toBe(false);
    expect(await rows()).toEqual(before);
    expect((await readTopics(db, job.jobId)).filter((topic) => topic === 'job.finished')).toHaveLength(1);
  });
});

describe('finishableJobs', () => {
  it('finds unfinished jobs that miss nothing, the oldest first', async () => {
    await db.query(`UPDATE jobs SET state = 'failed' WHERE state IN ('queued', 'running', 'cancelling')`);
    const [first, second, open] = [await admitEchoJob(db), await admitEchoJob(db), await admitEchoJob(db, { examples: 2 })];
    const lease = await leaseNext(db, open);
    await record(db, lease, samplesOf(lease), { final: true });
    const last = await leaseNext(db, open);
    await runToTheEnd(db, second);
    await runToTheEnd(db, first);
    expect(await finishableJobs(db, 10)).toEqual([first.jobId, second.jobId]);
    expect(await finishableJobs(db, 1)).toEqual([first.jobId]);
    await record(db, last, samplesOf(last), { final: true });
    expect(await finishableJobs(db, 10)).toEqual([first.jobId, second.jobId, open.jobId]);
    for (const job of [first, second, open]) await finishJob(db, { ...finishedOf(job), runs: [], comparisons: [] });
    expect(await finishableJobs(db, 10)).toEqual([]);
  });
});

describe('readFinishingJob', () => {
  it('reads inputs and runs in order', async () => {
    const job = await admitEchoJob(db, { arms: 2, k: 3 });
    expect(await readFinishingJob(db, job.jobId)).toMatchObject({
      id: job.jobId,
      projectId: DEFAULT_PROJECT,
      state: 'queued',
      stopReason: null,
      suiteVersionId: job.suite.versionId,
      suiteName: job.suite.name,
      suiteHash: job.suite.hash,
      aggregation: { kind: 'mean_at_k', k: 3 },
      k: 3,
      exampleCount: 4,
      gate: null,
      runs: [
        { id: job.runIds[0], ordinal: 0, name: 'arm-0', target: { adapter: null } },
        { id: job.runIds[1], ordinal: 1, name: 'arm-1', target: { adapter: 'adapter-1' } },
      ],
    });
    expect(await readFinishingJob(db, randomUUID())).toBeNull();
  });
});
