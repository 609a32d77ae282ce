import { requireProgram } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { errorCode } from './api-client.fixture.js';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { numberSuite } from './number-suite.fixture.js';
import { readShardHistory } from './shard-history.fixture.js';
import { until } from './until.fixture.js';

/** A dollar for a thousand tokens: a sample's worst case (a prompt of 86 tokens, an answer of 20) costs 0.106. */
const PER_TOKEN = { kind: 'per_token', input: '1000', output: '1000' } as const;
const USAGE = { prompt_tokens: 30, completion_tokens: 10 };

describe.skipIf(requireProgram('redis-server') === null)('limits', () => {
  const fleet = useFleet();

  it('stops a comparison at its cost cap, never above it, with the pairs that are complete', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    stub.usage = () => USAGE;
    stub.delayMs = 10;
    await client.registerSuite(numberSuite({ name: 'cost-cap', examples: 60, k: 2 }));
    const targets = ['cost-a', 'cost-b'].map((name) => stub.target(name, { concurrency: 4, pricing: PER_TOKEN }));
    const { job_id: jobId } = await client.compare({ suite: 'cost-cap', targets, cost_cap: '5', gate: { min_accuracy: 0.5 } });
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'capped', stop_reason: 'cost_cap', cost_cap: '5' });
    // It stops where not one more example (two samples) fits in its worst case.
    expect(Number(job.spend.usd)).toBeLessThanOrEqual(5);
    expect(Number(job.spend.usd)).toBeGreaterThan(5 - 2 * 0.106);
    expect(job.spend).toMatchObject({ reserved_usd: '0', excess_usd: '0' });
    expect(stub.abandoned).toEqual([]);

    const complete = await Promise.all(
      [0, 1].map(async (run) => new Set((await client.aggregatedOutcomes(jobId, run)).map((row) => row.example_id))),
    );
    const both = [...complete[0]!].filter((id) => complete[1]!.has(id));
    expect(both.length).toBeGreaterThan(0);
    expect(both.length).toBeLessThan(60);
    const [comparison] = await client.comparisons(jobId);
    expect(comparison).toMatchObject({ pairs: { paired_examples: both.length, tied: both.length }, unpaired_examples: 60 - both.length });
    expect(job.runs.map((run) => run.metrics!.coverage.complete_examples)).toEqual(complete.map((ids) => ids.size));
    expect(job.verdicts).toMatchObject([{ outcome: 'error' }]);
    await checkInvariants(db, jobId);
  });

  it('keeps the cap when workers die: what an endpoint may still bill is charged, and said', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    // Every answer uses all that was reserved for it: a prompt of at most 86 tokens and an answer of 20.
    stub.usage = () => ({ prompt_tokens: 86, completion_tokens: 20 });
    await client.registerSuite(numberSuite({ name: 'killed-cap', examples: 60 }));
    stub.holdAfter(8);
    const target = stub.target('killed-cap', { concurrency: 4, pricing: PER_TOKEN });
    const { job_id: jobId } = await client.run({ suite: 'killed-cap', target, cost_cap: '3' });
    await until('calls are held', async () => (stub.held > 0 ? true : null));
    await fleet.worker.kill();
    stub.release();
    await fleet.addWorker();
    const job = await client.waitForEnd(jobId);
    const billed = stub.calls.length * 0.106;
    expect(job).toMatchObject({ state: 'capped', stop_reason: 'cost_cap' });
    expect(billed).toBeLessThanOrEqual(3);
    expect(job.spend).toMatchObject({ usd: null, reserved_usd: '0' });
    expect(Number(job.spend.lost_usd)).toBeGreaterThan(0);
    expect(Number(job.spend.known_usd) + Number(job.spend.lost_usd)).toBeGreaterThanOrEqual(billed - 1e-9);
    expect(Number(job.spend.known_usd) + Number(job.spend.lost_usd)).toBeLessThanOrEqual(3);
    await checkInvariants(db, jobId);
  });

  it('charges what a cancel breaks off', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    await client.registerSuite(numberSuite({ name: 'cancelled-spend', examples: 20 }));
    stub.holdAfter(5);
    const { job_id: jobId } = await client.run({
      suite: 'cancelled-spend',
      target: stub.target('cancelled-spend', { concurrency: 4, pricing: PER_TOKEN }),
      cost_cap: '50',
    });
    await until('calls are held', async () => (stub.held > 0 ? true : null));
    await client.cancel(jobId);
    const job = await client.waitForEnd(jobId);
    expect(job.state).toBe('cancelled');
    expect(job.spend.usd).toBeNull();
    expect(Number(job.spend.lost_usd)).toBeGreaterThan(0);
    await checkInvariants(db, jobId);
  });

  it('needs a token cap where the price is unknown, and stops at it', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    stub.usage = () => USAGE;
    await client.registerSuite(numberSuite({ name: 'token-cap', examples: 60 }));
    const target = stub.target('token-cap', { pricing: { kind: 'unknown' } });
    const refused = await client.send('POST', '/v1/eval/run', { suite: 'token-cap', target });
    expect([refused.status, errorCode(refused)]).toEqual([400, 'eval_invalid_request']);
    const { job_id: jobId } = await client.run({ suite: 'token-cap', target, token_cap: 1000 });
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'capped', stop_reason: 'token_cap', spend: { usd: null, known_usd: '0', reserved_tokens: 0 } });
    expect(job.spend.tokens).toBeLessThanOrEqual(1000);
    expect(job.spend.tokens).toBeGreaterThan(1000 - 106);
    expect(job.runs[0]!.metrics).toMatchObject({ cost_usd: null, priced_fraction: 0, num_examples: job.spend.tokens / 40 });
    await checkInvariants(db, jobId);
  });

  it('reports what attempts used beyond their bound, and starts nothing more', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    // Ten times what the prompt can be: the endpoint counts otherwise than any tokenizer of bytes.
    stub.usage = () => ({ prompt_tokens: 990, completion_tokens: 10 });
    await client.registerSuite(numberSuite({ name: 'excess', examples: 40 }));
    const { job_id: jobId } = await client.run({
      suite: 'excess',
      target: stub.target('excess', { pricing: PER_TOKEN }),
      cost_cap: '0.5',
    });
    const job = await client.waitForEnd(jobId);
    // Four samples of 0.106 fit under the cap; each cost 1.
    expect(job).toMatchObject({ state: 'capped', stop_reason: 'cost_cap', progress: { samples_completed: 4 } });
    expect(job.spend).toMatchObject({ usd: '4', reserved_usd: '0', excess_usd: '3.576' });
    await checkInvariants(db, jobId);
  });

  it('keeps the leases of a job within its concurrency at every instant', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    stub.delayMs = 5;
    await client.registerSuite(numberSuite({ name: 'narrow', examples: 40 }));
    const { job_id: jobId } = await client.run({ suite: 'narrow', target: stub.target('narrow', { concurrency: 1 }), concurrency: 1 });
    expect(await client.waitForEnd(jobId)).toMatchObject({ state: 'completed' });
    const history = await readShardHistory(db, jobId);
    expect(history.filter((change) => change.to === 'leased')).toHaveLength(8);
    expect(Math.max(...history.map((change) => change.leased))).toBe(1);
    await checkInvariants(db, jobId);
  });

  it('admits a request with an idempotency key once', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    await client.registerSuite(numberSuite({ name: 'once', examples: 5 }));
    const headers = { 'idempotency-key': 'once-1' };
    const request = { suite: 'once', model: 'echo' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.send('POST', '/v1/eval/run', request, headers)));
    expect(answers[0]!.status).toBe(200);
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]!.body]);
    const { job_id: jobId } = answers[0]!.body as { job_id: string };
    const other = await client.send('POST', '/v1/eval/run', { ...request, seed: 7 }, headers);
    expect([other.status, errorCode(other)]).toEqual([409, 'idempotency_key_reused']);
    await client.waitForEnd(jobId);
    expect(await client.run(request, headers)).toMatchObject({ job_id: jobId });
    const [jobs] = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM jobs WHERE suite_name = 'once'`);
    expect(jobs!.count).toBe(1);
  });

  it('starts nothing after a halt, and admits nothing until it is lifted', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    await client.registerSuite(numberSuite({ name: 'halted', examples: 40, k: 2 }));
    stub.holdAfter(11);
    const { job_id: jobId } = await client.run({ suite: 'halted', target: stub.target('halted', { concurrency: 2 }) });
    await until('the job is in its middle', () => stub.held === 2);
    await db.query(`UPDATE control SET halt_epoch = halt_epoch + 1, halted = true, reason = 'a test' WHERE id = 1`);
    const haltedAt = Date.now();
    try {
      const refused = await client.send('POST', '/v1/eval/run', { suite: 'halted', model: 'echo' });
      expect([refused.status, errorCode(refused)]).toEqual([503, 'halted']);
      const job = await client.waitForEnd(jobId);
      expect(job).toMatchObject({ state: 'cancelled', stop_reason: 'halted' });
      // What was answered before is kept.
      expect(job.progress.samples_completed).toBe(11);
      const claims = (await readShardHistory(db, jobId)).filter((change) => change.to === 'leased');
      expect(claims.filter((claim) => claim.at.getTime() > haltedAt)).toEqual([]);
      expect(stub.answered).toBe(11);
      await checkInvariants(db, jobId);
    } finally {
      await db.query(`UPDATE control SET halted = false WHERE id = 1`);
    }
    // Lifting it never revives a stopped job, and new ones run.
    const { job_id: next } = await client.run({ suite: 'halted', model: 'echo' });
    expect(await client.waitForEnd(next)).toMatchObject({ state: 'completed' });
    expect(await client.job(jobId)).toMatchObject({ state: 'cancelled' });
  });
});
