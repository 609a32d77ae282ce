import { requireProgram, startFaultProxy } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { checkGenerationLog } from './generation-log.fixture.js';
import { numberSuite } from './number-suite.fixture.js';
import { type StubCall } from './stub-endpoint.fixture.js';
import { until } from './until.fixture.js';

describe.skipIf(requireProgram('redis-server') === null)('a worker that is cut off from Postgres', () => {
  const fleet = useFleet({ workers: 0, leaseTtlMs: 2_000 });

  it('lets go of its samples before another worker gets them, and comes back when the link is whole', async () => {
    const { stub, client, db, postgres } = fleet;
    const proxy = await startFaultProxy(postgres.port);
    const cutOff = await fleet.addWorker({ KILN_DATABASE_URL: fleet.databaseUrl(proxy.port) });
    const other = await fleet.addWorker();
    await client.registerSuite(numberSuite({ name: 'cut-off', examples: 40, k: 2 }));
    stub.holdAfter(12);
    const { job_id: jobId } = await client.run({ suite: 'cut-off', target: stub.target('cut-off', { concurrency: 2 }) });
    await until('both workers wait for answers', () => stub.held === 4);
    // Half open: nobody is told, answers just stay away.
    proxy.mode = 'blackHole';
    await until('it lets go', () => stub.abandoned.length === 2, 5_000);
    // Its samples are asked for again, by the other one; those that it holds are still held.
    await until('the other worker is busy', () => stub.held === 2);
    stub.release();
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', runs: [{ metrics: { counts: { pass: 40 } } }] });
    expect(overlaps(stub.calls)).toEqual([]);
    await checkInvariants(db, jobId);
    await checkGenerationLog(db, jobId, stub.calls);

    proxy.mode = 'refuse';
    proxy.mode = 'pass';
    await other.stop();
    const { job_id: next } = await client.run({ suite: 'cut-off', target: stub.target('cut-off', { concurrency: 2 }) });
    expect(await client.waitForEnd(next)).toMatchObject({ state: 'completed' });
    await checkInvariants(db, next);
    await cutOff.stop();
    await proxy.close();
  });
});

/** Samples that were generated twice at the same moment. */
function overlaps(calls: readonly StubCall[]): string[] {
  const bySample = new Map<string, number>();
  return calls.flatMap((call) => {
    const sample = `${call.prompt} ${call.seed}`;
    const busyUntil = bySample.get(sample) ?? 0;
    bySample.set(sample, call.answeredAt ?? call.abandonedAt ?? Infinity);
    return call.at < busyUntil ? [sample] : [];
  });
}
