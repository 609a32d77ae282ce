import { admitEchoJob, DEFAULT_PROJECT, ECHO_QUEUE, type EchoJob, startPostgres } from '@kiln/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { cancelJob, endStoppedShards } from '../jobs/stop-job.js';
import { checkRecord } from './check-record.fixture.js';
import { type DispatchedShard, dispatchShards, unclaimedShards, undispatchShards } from './dispatch-shards.js';
import { endAttempt } from './end-attempt.js';
import { heartbeatShards } from './heartbeat-shards.js';
import { type Lease, StaleLeaseError } from './lease.js';
import { reapExpired } from './reap-expired.js';
import { claimAs, readBudget, readJob, readShards, record, samplesOf, TESTER } from './shard-flow.fixture.js';

/** Enough leases for every kind of meeting; a slow machine may stop before. */
const LEASES = 60;
const LIMIT_MS = 10_000;

/** Everything that touches a job at once, without a single retry: any error but a lost lease fails the test. */
describe('a storm on one job', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 60 });
    await db.query(`ALTER TABLE budgets ADD CONSTRAINT cap_kept CHECK (cost_spent + cost_reserved <= cost_cap)`);
  });
  afterAll(() => db.close());

  it.each([
    ['with a cap, a limit, and a cancel at the end', { costCapNano: 2_500n, concurrency: 12 }],
    ['with neither', { costCapNano: null, concurrency: null }],
  ])('has no deadlock and keeps every rule, %s', async (_name, limits) => {
    const job = await admitEchoJob(db, { examples: 300, shardExamples: 3, arms: 2, costBoundNano: 10n, ...limits });
    const storm = new Storm(db, job);
    await storm.rage(limits.costCapNano !== null);
    expect(storm.counts.leased).toBeGreaterThan(LEASES / 4);
    expect(storm.counts.lost).toBeGreaterThan(0);
    await endStoppedShards(db, job.jobId);
    for (const lease of storm.held) await endAttempt(db, lease, { kind: 'released' }).catch(ignoreLost);
    await endStoppedShards(db, job.jobId);
    await checkRecord(db, job.jobId);
    expect(await readBudget(db, job.jobId)).toMatchObject({ costHeld: 0, tokensHeld: 0 });
    if (limits.costCapNano !== null) {
      expect((await readShards(db, job.jobId)).every((shard) => shard.state === 'done')).toBe(true);
      expect((await readJob(db, job.jobId)).state).toBe('cancelling');
    }
    expect(await db.query(`SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()`)).toEqual([{ deadlocks: 0 }]);
  });
});

class Storm {
  readonly held = new Set<Lease>();
  readonly counts = { leased: 0, lost: 0 };
  readonly #messages: DispatchedShard[] = [];
  #over = false;

  constructor(
    private readonly db: Database,
    private readonly job: EchoJob,
  ) {}

  async rage(cancelAtTheEnd: boolean): Promise<void> {
    const workers = Array.from({ length: 16 }, () => this.#repeat(0, () => this.#work()));
    await Promise.all([
      ...workers,
      this.#repeat(5, async () => void this.#messages.push(...(await dispatchShards(this.db, this.job.jobId, ECHO_QUEUE, 20)))),
      this.#repeat(20, () => reapExpired(this.db, 20)),
      this.#repeat(20, () => reapExpired(this.db, 20)),
      this.#repeat(15, () => heartbeatShards(this.db, [...this.held], 60_000)),
      this.#repeat(15, () =>
        this.db.query(
          `UPDATE shards SET lease_until = now() - interval '1 s' WHERE id IN (
        SELECT id FROM shards WHERE job_id = $1 AND state = 'leased' AND random() < 0.1 FOR UPDATE SKIP LOCKED)`,
          [this.job.jobId],
        ),
      ),
      this.#repeat(40, async () => undispatchShards(this.db, await unclaimedShards(this.db, 30, 5))),
      this.#repeat(40, () => endStoppedShards(this.db, this.job.jobId)),
      // One snapshot after the other: the rules hold at every instant, not only in the end.
      this.#repeat(10, () => checkRecord(this.db, this.job.jobId)),
      this.#calm(cancelAtTheEnd),
    ]);
  }

  async #repeat(pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.#over) {
      await work();
      await sleep(pauseMs * Math.random());
    }
  }

  async #calm(cancelAtTheEnd: boolean): Promise<void> {
    const giveUpAt = performance.now() + LIMIT_MS;
    while ((this.counts.leased < LEASES || this.counts.lost === 0) && performance.now() < giveUpAt) await sleep(20);
    if (cancelAtTheEnd) await Promise.all(Array.from({ length: 10 }, () => cancelJob(this.db, DEFAULT_PROJECT, this.job.jobId, TESTER)));
    await sleep(300);
    this.#over = true;
  }

  /** One message, delivered twice now and then, and one of the ways in which an attempt can go. */
  async #work(): Promise<void> {
    const message = this.#messages.shift();
    if (!message) return sleep(2);
    if (Math.random() < 0.1) this.#messages.push(message);
    const result = await claimAs(this.db, message, 5_000);
    if (result.outcome !== 'leased') return;
    const { lease } = result;
    this.counts.leased += 1;
    this.held.add(lease);
    const samples = samplesOf(lease, { costNano: 3n });
    const chance = Math.random();
    try {
      if (chance < 0.1) return;
      await sleep(Math.random() * 10);
      if (chance < 0.2) await endAttempt(this.db, lease, { kind: 'crashed' });
      else if (chance < 0.3) await endAttempt(this.db, lease, { kind: 'retry', delayMs: 5 });
      else if (chance < 0.4) await record(this.db, lease, samples.slice(0, 1));
      else await record(this.db, lease, samples, { final: true });
      if (chance >= 0.4 || chance < 0.3) this.held.delete(lease);
    } catch (error) {
      ignoreLost(error);
      this.counts.lost += 1;
      this.held.delete(lease);
    }
  }
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof StaleLeaseError)) throw error;
}
