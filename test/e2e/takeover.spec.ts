import { requireProgram } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { checkGenerationLog } from './generation-log.fixture.js';
import { numberSuite } from './number-suite.fixture.js';
import { readShardHistory } from './shard-history.fixture.js';
import { type ServiceProcess } from './service-process.fixture.js';
import { until } from './until.fixture.js';

const LEADS = '"msg":"leading"';

describe.skipIf(requireProgram('redis-server') === null)('two workers and two schedulers', () => {
  // With leases this long, a test that waited for one to expire would fail.
  const fleet = useFleet({ workers: 2, schedulers: 2, leaseTtlMs: 120_000 });

  it('has one leader, and another one when that is killed', async () => {
    const { stub, client, db, schedulers } = fleet;
    await until('one leads', () => schedulers.some(leads));
    const leaders = schedulers.filter(leads);
    expect(leaders).toHaveLength(1);
    await client.registerSuite(numberSuite({ name: 'leaders', examples: 60 }));
    stub.holdAfter(10);
    const { job_id: jobId } = await client.run({ suite: 'leaders', target: stub.target('leaders', { concurrency: 1 }) });
    await until('the job is in its middle', () => stub.held === 2);
    await leaders[0]!.kill();
    stub.release();
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', runs: [{ metrics: { counts: { pass: 60 } } }] });
    expect(schedulers.every(leads)).toBe(true);
    await checkInvariants(db, jobId);
    await leaders[0]!.start();
  });

  it('takes over the shards of a worker that is asked to stop, without waiting for its leases', async () => {
    const { stub, client, db, workers } = fleet;
    stub.reset();
    await client.registerSuite(numberSuite({ name: 'sigterm', examples: 40, k: 2 }));
    stub.holdAfter(9);
    const { job_id: jobId } = await client.run({ suite: 'sigterm', target: stub.target('sigterm', { concurrency: 2 }) });
    await until('both workers are in the middle of a shard', () => stub.held === 4);
    const stopping = workers[0]!.stop();
    // The stub keeps holding, so no shard can end by itself: those of the stopping worker must be given back.
    const code = await stopping;
    const stoppedAt = Date.now();
    expect(code).toBe(0);
    stub.release();
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', runs: [{ metrics: { counts: { pass: 40 } } }] });
    const history = await readShardHistory(db, jobId);
    const released = history.filter((change) => change.from === 'leased' && change.to === 'waiting');
    expect(released.length).toBeGreaterThan(0);
    expect(released.every((change) => change.at.getTime() <= stoppedAt)).toBe(true);
    const [starts] = await db.query<{ starts: number }>(`SELECT max(starts) AS starts FROM shards WHERE job_id = $1`, [jobId]);
    expect(starts!.starts).toBe(0);
    await checkInvariants(db, jobId);
    await checkGenerationLog(db, jobId, stub.calls);
  });
});

function leads(scheduler: ServiceProcess): boolean {
  return scheduler.log.includes(LEADS);
}
