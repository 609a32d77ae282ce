import {
  claimShard,
  type Database,
  dispatchShards,
  type Lease,
  openDatabase,
  type RecordedSample,
  recordOutcomes,
  registerScorer,
} from '@kiln/database';
import { createMetrics } from '@kiln/observability';
import { admitEchoJob, ECHO_QUEUE, startPostgres, type TestPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutcomeWriter } from './outcome-writer.js';
import { generationUsage } from './sample-usage.js';
import { WorkerMetrics } from './worker-metrics.js';

describe('OutcomeWriter', () => {
  const metrics = createMetrics('worker');
  let postgres: TestPostgres;
  let db: Database;
  let scorerId: number;

  beforeAll(async () => {
    postgres = await startPostgres();
    db = openDatabase(await postgres.createDatabase());
    scorerId = await registerScorer(db, { identity: 'sha256:test', kind: 'exact_match', config: {} });
  });
  afterAll(async () => {
    await db.close();
    metrics.close();
  });

  async function lease(examples: number): Promise<Lease> {
    const { jobId } = await admitEchoJob(db, { examples, shardExamples: examples });
    const [shard] = await dispatchShards(db, jobId, ECHO_QUEUE, 1);
    const claim = await claimShard(db, { ...shard!, workerId: randomUUID(), leaseTtlMs: 30_000 });
    if (claim.outcome !== 'leased') throw new Error(`not leased but ${claim.outcome}`);
    return claim.lease;
  }

  const writer = (held: Lease, missing: number, priceBasis: string): OutcomeWriter<RecordedSample> =>
    new OutcomeWriter(db, held, {
      missing,
      record: recordOutcomes,
      usageOf: (sample) => generationUsage(sample, priceBasis),
      priceBasis,
      retryMs: 1_000,
      metrics: new WorkerMetrics(metrics, 'cpu'),
      onFailure: () => undefined,
    });

  const failed = (ordinal: number): RecordedSample => ({
    ordinal,
    completionIndex: 0,
    scorerId,
    kind: 'error',
    score: 0,
    detail: null,
    error: { code: 'endpoint_unavailable', message: 'no answer' },
    trace: null,
    borrowed: null,
  });

  const answered = (ordinal: number, costNano: bigint | null): RecordedSample => ({
    ...failed(ordinal),
    kind: 'pass',
    score: 1,
    error: null,
    trace: {
      id: randomUUID(),
      reuseKey: null,
      raw: Buffer.from('42'),
      tokenIds: null,
      answerStart: 0,
      answerEnd: 2,
      reasoningStart: null,
      reasoningEnd: null,
      reasoningChars: null,
      unclosedThinking: false,
      thinking: null,
      steps: null,
      rounds: 1,
      stopReason: 'stop',
      promptTokens: 3,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      completionTokens: 1,
      latencyMs: 1,
      costNano,
      priceBasis: costNano === null ? 'unknown' : 'per_token',
      provenanceId: null,
    },
  });

  const costs = (held: Lease): Promise<{ cost: string | null; samples: number }[]> =>
    db.query(`SELECT trim_scale(cost)::text AS cost, samples FROM usage_ledger WHERE shard_id = $1 ORDER BY part`, [held.shardId]);
  const state = async (held: Lease): Promise<unknown> =>
    (await db.query(`SELECT state::text, recorded FROM shards WHERE id = $1`, [held.shardId]))[0];

  it('keeps what is known of the cost beside what is not: a failed request on a priced target may have been billed', async () => {
    const held = await lease(4);
    const write = writer(held, 4, 'per_token');
    for (const sample of [answered(0, 7n), failed(1), answered(2, null), answered(3, 5n)]) write.add(sample);
    expect(await write.finish()).toBe(true);
    expect(await costs(held)).toEqual([
      { cost: '0.000000012', samples: 2 },
      { cost: null, samples: 2 },
    ]);
    expect(await state(held)).toEqual({ state: 'done', recorded: 4 });
  });

  it('knows that what fails on a free target cost nothing', async () => {
    const held = await lease(1);
    const write = writer(held, 1, 'free');
    write.add(failed(0));
    expect(await write.finish()).toBe(true);
    expect(await costs(held)).toEqual([{ cost: '0', samples: 1 }]);
  });

  it('ends a shard that lacks nothing', async () => {
    const held = await lease(1);
    expect(await writer(held, 0, 'free').finish()).toBe(true);
    expect(await state(held)).toEqual({ state: 'done', recorded: 0 });
  });
});
