import { admitEchoJob, DEFAULT_PROJECT, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { registerScorer } from '../shards/register-identities.js';
import { leaseNext, record, sampleOf } from '../shards/shard-flow.fixture.js';
import { insertReduced, type ReducedRow } from './insert-reduced.js';
import { readPageExamples, readPageOutcomes } from './read-page.js';
import { readRunTotals } from './read-run-totals.js';

let db: Database;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase());
  // The first scorer of a database is number 1, which the samples of the fixture name.
  await registerScorer(db, { identity: 'sha256:exact', kind: 'exact_match', config: {} });
});
afterAll(() => db.close());

/** A run whose only shard recorded samples with these latencies, in this order. */
const runWith = async (latencies: readonly number[], costNano: bigint | null = 1n): Promise<string> => {
  const job = await admitEchoJob(db, { examples: latencies.length, shardExamples: latencies.length });
  const lease = await leaseNext(db, job);
  await record(
    db,
    lease,
    latencies.map((latencyMs, ordinal) => sampleOf(ordinal, 0, { latencyMs, costNano })),
    { final: true },
  );
  return lease.runId;
};

describe('readRunTotals', () => {
  const quantile = (sorted: readonly number[], q: number): number => sorted[Math.round(q * (sorted.length - 1))]!;

  it.each([1, 2, 3, 4, 10, 11, 50, 51, 101, 150, 151])('takes latencies at index round(q·(n−1)), n = %i', async (n) => {
    const latencies = Array.from({ length: n }, (_, index) => ((index * 7919) % 1013) / 8);
    const sorted = latencies.toSorted((a, b) => a - b);
    const totals = await readRunTotals(db, await runWith(latencies));
    expect(totals.latencyMs).toEqual({
      mean: expect.closeTo(latencies.reduce((a, b) => a + b) / n, 9),
      p50: quantile(sorted, 0.5),
      p90: quantile(sorted, 0.9),
      p99: quantile(sorted, 0.99),
      max: sorted.at(-1),
    });
    expect(totals).toMatchObject({ knownCostUsd: (n / 1e9).toFixed(9).replace(/0+$/, ''), pricedSamples: n });
  });

  it('is all zero for a run without a trace', async () => {
    const zero = { latencyMs: { mean: 0, p50: 0, p90: 0, p99: 0, max: 0 }, knownCostUsd: '0', pricedSamples: 0, untracedSamples: 0 };
    expect(await readRunTotals(db, randomUUID())).toEqual(zero);
    const job = await admitEchoJob(db, { examples: 1 });
    const lease = await leaseNext(db, job);
    await record(db, lease, [sampleOf(0, 0, { kind: 'error' })], { final: true });
    expect(await readRunTotals(db, lease.runId)).toEqual({ ...zero, untracedSamples: 1 });
  });

  it('tells what has no known price from what is free', async () => {
    expect(await readRunTotals(db, await runWith([1, 2], null))).toMatchObject({ knownCostUsd: '0', pricedSamples: 0 });
    expect(await readRunTotals(db, await runWith([1, 2], 0n))).toMatchObject({ knownCostUsd: '0', pricedSamples: 2 });
    expect(await readRunTotals(db, await runWith([1], 2_000_000_000n))).toMatchObject({ knownCostUsd: '2', pricedSamples: 1 });
  });
});

describe('pages', () => {
  it('give examples and outcomes of a range, in order, whatever the order of recording', async () => {
    const job = await admitEchoJob(db, { examples: 6, shardExamples: 6, k: 2 });
    const lease = await leaseNext(db, job);
    for (const [part, ordinal] of [5, 3, 2, 4].entries()) {
      await record(db, lease, [sampleOf(ordinal, 1, { kind: 'error' }), sampleOf(ordinal, 0, { promptTokens: ordinal })], { part });
    }
    const page = { first: 2, count: 3 };
    const unsorted = { category: null, split: null, cluster: null };
    const examples = await readPageExamples(db, { ...page, jobId: job.jobId, suiteVersionId: job.suite.versionId });
    expect(examples).toEqual([
      { ordinal: 2, key: 'example-2', tags: ['even'], metadata: null, weight: 1, ...unsorted },
      { ordinal: 3, key: 'example-3', tags: ['odd'], metadata: null, weight: 1, ...unsorted },
      { ordinal: 4, key: 'example-4', tags: ['even'], metadata: null, weight: 1, ...unsorted },
    ]);
    const outcomes = await readPageOutcomes(db, { ...page, runId: lease.runId });
    expect(outcomes.map(({ ordinal, completionIndex, kind, promptTokens }) => [ordinal, completionIndex, kind, promptTokens])).toEqual([
      [2, 0, 'pass', 2],
      [2, 1, 'error', 0],
      [3, 0, 'pass', 3],
      [3, 1, 'error', 0],
      [4, 0, 'pass', 4],
      [4, 1, 'error', 0],
    ]);
    expect(outcomes[0]).toMatchObject({
      score: 1,
      scorerKind: 'exact_match',
      cachedTokens: 0,
      completionTokens: 2,
      reasoningChars: null,
      unclosedThinking: false,
      rounds: 1,
      stopReason: 'stop',
    });
    expect(outcomes[1]).toMatchObject({ rounds: 0, cost: null, latencyMs: null, stopReason: null });
  });
});

describe('insertReduced', () => {
  const row = (ordinal: number, kind: ReducedRow['kind']): ReducedRow => ({
    ordinal,
    kind,
    score: kind === 'pass' ? 1 : 0,
    representative: 0,
    numPass: 1,
    numFail: 2,
    numInvalid: 3,
    numError: 4,
    numSkipped: 5,
  });

  it('writes one row per example and leaves what is there', async () => {
    const runId = randomUUID();
    await insertReduced(db, DEFAULT_PROJECT, runId, []);
    await insertReduced(db, DEFAULT_PROJECT, runId, [row(0, 'pass'), row(1, 'fail')]);
    await insertReduced(db, DEFAULT_PROJECT, runId, [row(1, 'pass'), row(2, 'skipped')]);
    expect(
      await db.query(
        `SELECT ordinal, kind::text, scorer_id, num_pass, num_fail, num_invalid, num_error, num_skipped FROM reduced_outcomes WHERE run_id = $1 ORDER BY 1`,
        [runId],
      ),
    ).toEqual(
      (['pass', 'fail', 'skipped'] as const).map((kind, ordinal) => ({
        ordinal,
        kind,
        scorer_id: 0,
        num_pass: 1,
        num_fail: 2,
        num_invalid: 3,
        num_error: 4,
        num_skipped: 5,
      })),
    );
  });
});
