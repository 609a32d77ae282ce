import { mulberry32 } from '@kiln/statistics';
import { requireProgram } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { checkGenerationLog } from './generation-log.fixture.js';
import { numberSuite } from './number-suite.fixture.js';
import { type ServiceProcess } from './service-process.fixture.js';
import { until } from './until.fixture.js';

const SEED = Number(process.env['KILN_E2E_SEED'] ?? 20_261_129);
const KILLS = 20;
/** More than the kills need, also on a busy machine; what is left after them is answered at once. */
const EXAMPLES = 1_000;
const K = 5;

describe.skipIf(requireProgram('redis-server') === null)('workers that are lost', () => {
  const fleet = useFleet({ workers: 2, leaseTtlMs: 2_000 });

  it(`loses and doubles nothing when workers are killed at ${KILLS} points (KILN_E2E_SEED=${SEED})`, async () => {
    const { stub, client, db, workers } = fleet;
    const draw = mulberry32(SEED);
    await client.registerSuite(numberSuite({ name: 'kills', examples: EXAMPLES, k: K }));
    stub.delayMs = 150;
    // Shards of 40 samples that take one to three seconds: most are killed with a part of them stored.
    const { job_id: jobId } = await client.run({ suite: 'kills', target: stub.target('killed', { concurrency: 8 }) });
    const starting = new Map<ServiceProcess, Promise<void>>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const point = stub.calls.length + 15 + Math.floor(draw() * 40);
      const worker = workers[Math.floor(draw() * workers.length)]!;
      await starting.get(worker);
      await until(`generation ${point}`, () => stub.calls.length >= point);
      await until('a kill is no third fruitless start', () => killUnlessLast(worker));
      starting.set(worker, worker.start());
    }
    await Promise.all(starting.values());
    expect((await client.job(jobId)).finished_at, 'the job outlived the kills').toBeNull();
    stub.delayMs = 0;
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({
      state: 'completed',
      runs: [{ metrics: { counts: { pass: EXAMPLES, error: 0 }, num_completions: EXAMPLES * K } }],
    });
    await checkInvariants(db, jobId);
    const wasted = await checkGenerationLog(db, jobId, stub.calls);
    // Each kill can cost what was in flight (8) and what came within the second before it (8 answers each 0.15 s).
    expect(wasted).toBeLessThan(KILLS * 75);
    const [shards] = await db.query<{ repeated: number }>(
      `SELECT count(*) FILTER (WHERE fence > 1)::int AS repeated FROM shards WHERE job_id = $1`,
      [jobId],
    );
    expect(shards!.repeated).toBeGreaterThanOrEqual(KILLS / 2);
  });

  it('takes back a worker that was taken for dead, and nothing of what it had begun', async () => {
    const { stub, client, db, workers } = fleet;
    stub.reset();
    await client.registerSuite(numberSuite({ name: 'zombie', examples: 20 }));
    stub.holdAfter(2);
    const { job_id: jobId } = await client.run({ suite: 'zombie', target: stub.target('zombie', { concurrency: 4 }) });
    await until('a worker has two answers and waits for more', () => stub.held === 4);
    const [owner] = await db.query<{ pid: number }>(
      `SELECT w.pid FROM shards s JOIN workers w ON w.id = s.worker_id WHERE s.job_id = $1 AND s.state = 'leased'`,
      [jobId],
    );
    const zombie = workers.find((worker) => worker.pid === owner!.pid)!;
    zombie.signal('SIGSTOP');
    // Its engine child goes on: answers wait in a pipe that nobody reads.
    stub.release();
    try {
      const job = await client.waitForEnd(jobId);
      expect(job.runs[0]!.metrics).toMatchObject({ counts: { pass: 20 } });
      await checkInvariants(db, jobId);
      await until('it is forgotten', async () => (await workerRows(zombie.pid)) === 0);
    } finally {
      zombie.signal('SIGCONT');
    }
    await until('it is back', async () => (await workerRows(zombie.pid)) === 1);
    await until('it has noticed', () => zombie.log.split('\n').some((line) => line.includes(jobId) && line.includes('"result":"lost"')));
    await checkInvariants(db, jobId);

    // Alone, it must do the next job.
    const other = workers.find((worker) => worker !== zombie)!;
    await other.stop();
    const { job_id: next } = await client.run({ suite: 'zombie', target: stub.target('zombie', { concurrency: 4 }) });
    expect(await client.waitForEnd(next)).toMatchObject({ state: 'completed', runs: [{ metrics: { counts: { pass: 20 } } }] });
    await checkInvariants(db, next);
  });

  /** Three fruitless starts of a shard end in `error`, as they should; here nothing may. @returns whether it was killed */
  async function killUnlessLast(worker: ServiceProcess): Promise<boolean> {
    worker.signal('SIGSTOP');
    const [row] = await fleet.db.query<{ last: boolean }>(
      `SELECT coalesce(bool_or(s.starts >= 3), false) AS last FROM shards s JOIN workers w ON w.id = s.worker_id
        WHERE w.pid = $1 AND s.state = 'leased'`,
      [worker.pid],
    );
    if (row!.last) worker.signal('SIGCONT');
    else await worker.kill();
    return !row!.last;
  }

  async function workerRows(pid: number): Promise<number> {
    const [row] = await fleet.db.query<{ count: number }>(`SELECT count(*)::int AS count FROM workers WHERE pid = $1`, [pid]);
    return row!.count;
  }
});
