import { requireProgram } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { errorCode } from './api-client.fixture.js';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { checkGenerationLog } from './generation-log.fixture.js';
import { numberSuite } from './number-suite.fixture.js';
import { until } from './until.fixture.js';

const EXAMPLES = 60;

describe.skipIf(requireProgram('redis-server') === null)('servers that go away in the middle of a job', () => {
  const fleet = useFleet();

  it('loses nothing when Redis is wiped', async () => {
    const jobId = await startJob('flushed');
    await fleet.redis.flushAll();
    await finishJob(jobId);
  });

  it('loses nothing when Redis crashes and comes back empty', async () => {
    const jobId = await startJob('redis-crash');
    await fleet.redis.restart('crash');
    await finishJob(jobId);
  });

  it('loses nothing when the API and the scheduler crash', async () => {
    const { api, scheduler, stub } = fleet;
    const jobId = await startJob('api-crash');
    await Promise.all([api.kill(), scheduler.kill()]);
    // The worker goes on with what it holds.
    const before = stub.answered;
    stub.release();
    await until('the worker goes on', () => stub.answered > before);
    await Promise.all([api.start(), scheduler.start()]);
    await finishJob(jobId);
  });

  it('says so while Postgres is away, and recovers by itself', async () => {
    const { api, scheduler, worker, client, postgres } = fleet;
    const pids = [api.pid, scheduler.pid, worker.pid];
    const jobId = await startJob('postgres-restart');
    await postgres.stop('immediate');
    try {
      const job = await client.send('GET', `/v1/eval/jobs/${jobId}`);
      expect([job.status, errorCode(job), job.headers.get('retry-after')]).toEqual([503, 'database_unavailable', '5']);
      const submitted = await client.send('POST', '/v1/eval/run', { suite: 'postgres-restart', model: 'echo' });
      expect([submitted.status, errorCode(submitted)]).toEqual([503, 'database_unavailable']);
      const ready = await client.send('GET', '/readyz');
      expect(ready).toMatchObject({ status: 503, body: { status: 'not_ready' } });
      expect((await client.send('GET', '/healthz')).status).toBe(200);
    } finally {
      await postgres.start();
    }
    await finishJob(jobId);
    await until('the API is ready again', async () => (await client.send('GET', '/readyz')).status === 200);
    expect([api.pid, scheduler.pid, worker.pid]).toEqual(pids);
    expect([api, scheduler, worker].every((service) => service.isRunning)).toBe(true);
  });

  /** Starts a job and returns when some of it is stored, some in flight and some waiting. */
  async function startJob(name: string): Promise<string> {
    const { stub, client } = fleet;
    stub.reset();
    await client.registerSuite(numberSuite({ name, examples: EXAMPLES, k: 2 }));
    stub.holdAfter(24);
    const { job_id: jobId } = await client.run({ suite: name, target: stub.target(name, { concurrency: 2 }) });
    await until('the job is in its middle', async () => stub.held === 2 && (await client.job(jobId)).progress.samples_completed > 0);
    return jobId;
  }

  async function finishJob(jobId: string): Promise<void> {
    const { stub, client, db } = fleet;
    stub.release();
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', runs: [{ metrics: { counts: { pass: EXAMPLES, error: 0 } } }] });
    await checkInvariants(db, jobId);
    await checkGenerationLog(db, jobId, stub.calls);
  }
});
