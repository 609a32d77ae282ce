import { ECHO_QUEUE, type EchoJob } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { type Actor } from '../audit/actor.js';
import { type Database, type Queryable } from '../database.js';
import { claimShard, type ClaimResult } from './claim-shard.js';
import { type DispatchedShard, dispatchShards } from './dispatch-shards.js';
import { type Lease } from './lease.js';
import { recordOutcomes } from './record-outcomes.js';
import { type AttemptUsage, type RecordedSample } from './recorded-sample.js';

/** Who does what tests do. */
export const TESTER: Actor = { actor: 'test', source: 'test' };

/** Dispatches up to `limit` waiting shards of a job, also those that a failure holds back. */
export async function dispatchNow(db: Queryable, jobId: string, limit = 10_000, queue = ECHO_QUEUE): Promise<DispatchedShard[]> {
  await db.query(`UPDATE shards SET not_before = NULL WHERE job_id = $1 AND not_before IS NOT NULL`, [jobId]);
  return dispatchShards(db, jobId, queue, limit);
}

export function claimAs(db: Database, shard: Pick<DispatchedShard, 'shardId' | 'dispatch'>, leaseTtlMs = 60_000): Promise<ClaimResult> {
  return claimShard(db, { shardId: shard.shardId, dispatch: shard.dispatch, workerId: randomUUID(), leaseTtlMs });
}

/** Dispatches the job's next shard and leases it. @throws when the claim does not lead to a lease */
export async function leaseNext(db: Database, job: EchoJob, leaseTtlMs?: number): Promise<Lease> {
  const [shard] = await dispatchNow(db, job.jobId, 1);
  if (!shard) throw new Error('nothing waits');
  const result = await claimAs(db, shard, leaseTtlMs);
  if (result.outcome !== 'leased') throw new Error(`the claim came to ${result.outcome}`);
  return result.lease;
}

export interface SampleOptions {
  kind?: RecordedSample['kind'];
  score?: number;
  promptTokens?: number;
  completionTokens?: number;
  costNano?: bigint | null;
  latencyMs?: number;
  raw?: Uint8Array;
  tokenIds?: Uint8Array;
}

/** A sample with a trace, or without one when its kind is `error`. */
export function sampleOf(ordinal: number, completionIndex = 0, options: SampleOptions = {}): RecordedSample {
  const { kind = 'pass', score = kind === 'pass' ? 1 : 0, raw = new TextEncoder().encode(`${ordinal}`) } = options;
  const base = { ordinal, completionIndex, scorerId: 1, kind, score, detail: { ordinal }, borrowed: null };
  if (kind === 'error') return { ...base, detail: null, error: { code: 'boom', message: 'it broke' }, trace: null };
  return {
    ...base,
    error: null,
    trace: {
      id: randomUUID(),
      reuseKey: null,
      raw,
      tokenIds: options.tokenIds ?? null,
      answerStart: 0,
      answerEnd: raw.byteLength,
      reasoningStart: null,
      reasoningEnd: null,
      reasoningChars: null,
      unclosedThinking: false,
      thinking: null,
      steps: null,
      rounds: 1,
      stopReason: 'stop',
      promptTokens: options.promptTokens ?? 4,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      completionTokens: options.completionTokens ?? 2,
      latencyMs: options.latencyMs ?? 5,
      costNano: options.costNano === undefined ? 1n : options.costNano,
      priceBasis: 'per_token',
      provenanceId: null,
    },
  };
}

/** What these samples consumed. */
export function usageOf(samples: readonly RecordedSample[]): AttemptUsage {
  const traces = samples.flatMap(({ trace }) => (trace ? [trace] : []));
  const sum = (pick: (trace: (typeof traces)[number]) => number): number => traces.reduce((total, trace) => total + pick(trace), 0);
  return {
    samples: samples.length,
    promptTokens: sum((trace) => trace.promptTokens),
    cachedTokens: sum((trace) => trace.cachedTokens),
    cacheWriteTokens: sum((trace) => trace.cacheWriteTokens),
    completionTokens: sum((trace) => trace.completionTokens),
    costNano: traces.reduce<bigint | null>(
      (total, trace) => (total === null || trace.costNano === null ? null : total + trace.costNano),
      0n,
    ),
    priceBasis: 'per_token',
    durationMs: 1,
  };
}

/** All samples of a leased range. */
export function samplesOf(lease: Lease, options: SampleOptions = {}): RecordedSample[] {
  return Array.from({ length: lease.count * lease.k }, (_, index) =>
    sampleOf(lease.firstOrdinal + Math.floor(index / lease.k), index % lease.k, options),
  );
}

/** Records samples as one write of the attempt. */
export function record(db: Database, lease: Lease, samples: readonly RecordedSample[], { part = 0, final = false } = {}): Promise<void> {
  return recordOutcomes(db, lease, { samples, usage: usageOf(samples), part, final });
}

/** Leases, records and ends every shard that is left. */
export async function runToTheEnd(db: Database, job: EchoJob, options: SampleOptions = {}): Promise<void> {
  for (const shard of await dispatchNow(db, job.jobId)) {
    const result = await claimAs(db, shard);
    if (result.outcome !== 'leased') continue;
    await record(db, result.lease, samplesOf(result.lease, options), { final: true });
  }
}

export interface ShardState {
  id: string;
  run: number;
  first: number;
  count: number;
  state: string;
  dispatch: number;
  fence: string;
  starts: number;
  crashes: number;
  recorded: number;
  passed: number;
  end: string | null;
  costReserved: string;
  tokensReserved: string;
}

/** A job's shards in dispatch order. */
export function readShards(db: Queryable, jobId: string): Promise<ShardState[]> {
  return db.query<ShardState>(
    `SELECT s.id, r.ordinal AS run, s.first_ordinal AS first, s.count, s.state::text, s.dispatch, s.fence, s.starts, s.crashes,
            s.recorded, s.passed, s.end_reason AS "end", trim_scale(s.cost_reserved)::text AS "costReserved",
            s.tokens_reserved AS "tokensReserved"
       FROM shards s JOIN runs r ON r.id = s.run_id WHERE s.job_id = $1 ORDER BY s.first_ordinal, r.ordinal, s.phase`,
    [jobId],
  );
}

/** A job's budget in nano-USD and tokens. */
export async function readBudget(db: Queryable, jobId: string): Promise<Record<'cost' | 'costHeld' | 'tokens' | 'tokensHeld', number>> {
  const [row] = await db.query<Record<'cost' | 'costHeld' | 'tokens' | 'tokensHeld', number>>(
    `SELECT (cost_spent * 1e9)::float8 AS cost, (cost_reserved * 1e9)::float8 AS "costHeld", tokens_spent::float8 AS tokens,
            tokens_reserved::float8 AS "tokensHeld" FROM budgets WHERE job_id = $1`,
    [jobId],
  );
  return row!;
}

export async function readJob(db: Queryable, jobId: string): Promise<{ state: string; stopReason: string | null }> {
  const [row] = await db.query<{ state: string; stopReason: string | null }>(
    `SELECT state::text, stop_reason AS "stopReason" FROM jobs WHERE id = $1`,
    [jobId],
  );
  return row!;
}

/** Topics that the outbox holds of a job, in order. */
export async function readTopics(db: Queryable, jobId: string): Promise<string[]> {
  const rows = await db.query<{ topic: string }>(`SELECT topic FROM outbox WHERE job_id = $1 ORDER BY id`, [jobId]);
  return rows.map((row) => row.topic);
}

/** Makes a lease expire now. */
export async function expire(db: Queryable, shardId: string): Promise<void> {
  await db.query(`UPDATE shards SET lease_until = now() - interval '1 s' WHERE id = $1 AND state = 'leased'`, [shardId]);
}
