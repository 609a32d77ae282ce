import { requireProgram } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './check-invariants.fixture.js';
import { childProcesses } from './child-processes.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { checkGenerationLog } from './generation-log.fixture.js';
import { numberSuite, promptOf } from './number-suite.fixture.js';
import { until } from './until.fixture.js';

describe.skipIf(requireProgram('redis-server') === null)('engine children that are lost', () => {
  // With leases this long, a test that waited for one to expire would fail.
  const fleet = useFleet({ leaseTtlMs: 120_000 });

  it('starts a killed engine again and goes on with the shard at once', async () => {
    const { stub, client, db, worker } = fleet;
    await client.registerSuite(numberSuite({ name: 'engine', examples: 40, k: 2 }));
    stub.holdAfter(25);
    const { job_id: jobId } = await client.run({ suite: 'engine', target: stub.target('engine', { concurrency: 4 }) });
    await until('an engine is in the middle of a shard, with a part of it stored', async () => {
      const { progress } = await client.job(jobId);
      return stub.held === 4 && progress.samples_completed > 0;
    });
    const before = childProcesses(worker.pid);
    // The engine of endpoints, and that of local models, which were loaded when the worker started.
    expect(before).toHaveLength(2);
    for (const child of before) process.kill(child, 'SIGKILL');
    stub.release();
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', runs: [{ metrics: { counts: { pass: 40 } } }] });
    const after = childProcesses(worker.pid);
    expect(after).toHaveLength(1);
    expect(before).not.toContain(after[0]);
    const [crashed] = await db.query<{ crashes: number }>(`SELECT max(crashes) AS crashes FROM shards WHERE job_id = $1`, [jobId]);
    expect(crashed!.crashes).toBe(1);
    await checkInvariants(db, jobId);
    await checkGenerationLog(db, jobId, stub.calls);
  });

  it('ends an example that crashes every engine as an error, and no other', async () => {
    const { stub, client, db, worker } = fleet;
    stub.reset();
    const poison = promptOf(17);
    await client.registerSuite(numberSuite({ name: 'poison', examples: 40 }));
    // At once, and others are slow: whatever shares the engine with it is in flight when it dies.
    stub.onCall = (call) => {
      if (call.prompt === poison) for (const child of childProcesses(worker.pid)) process.kill(child, 'SIGKILL');
    };
    stub.delayMs = 50;
    const { job_id: jobId } = await client.run({ suite: 'poison', target: stub.target('poison', { concurrency: 4 }) });
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', runs: [{ metrics: { counts: { pass: 39, error: 1 }, coverage: { fraction: 1 } } }] });
    const errors = (await client.outcomes(jobId)).filter((row) => row.kind === 'error');
    expect(errors).toMatchObject([{ example_id: poison, detail: { code: 'crash_limit' } }]);
    expect(stub.calls.filter((call) => call.prompt === poison)).toHaveLength(4);
    await checkInvariants(db, jobId);
  });
});
