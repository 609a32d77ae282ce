import { type OutcomeKind, type Verdict } from '@kiln/contracts';
import { claimShard, dispatchShards, finishJob, insertReduced, recordOutcomes, registerScorer, type TraceRow } from '@kiln/database';
import { randomUUID } from 'node:crypto';
import { type TestApi } from '../test-api.fixture.js';
import { COMPARISON, metricsOf } from './results.fixture.js';

/** What a pretended model does with one sample. */
export interface Made {
  kind: OutcomeKind;
  score?: number;
  raw?: Uint8Array | string;
  answerStart?: number;
  reasoning?: [number, number];
  error?: { code: string; message: string };
}

export type Make = (ordinal: number, completionIndex: number, runIndex: number) => Made;

const CACHED = 2;

/** Does what workers do: claims the shards of a job, at most `limit`, and records every sample of them. */
export async function work(api: TestApi, jobId: string, make: Make, limit = 1000): Promise<void> {
  const { database } = api;
  const scorerId = await registerScorer(database, { identity: 'test-scorer', kind: 'exact_match', config: {} });
  const runs = await database.query<{ id: string; ordinal: number; queue: string }>(
    `SELECT id, ordinal, queue FROM runs WHERE job_id = $1 ORDER BY ordinal`,
    [jobId],
  );
  for (const queue of new Set(runs.map((run) => run.queue))) {
    for (const message of await dispatchShards(database, jobId, queue, limit)) {
      const claim = await claimShard(database, { ...message, workerId: randomUUID(), leaseTtlMs: 60_000 });
      if (claim.outcome !== 'leased') continue;
      const { lease } = claim;
      const runIndex = runs.find((run) => run.id === lease.runId)?.ordinal ?? 0;
      const places = Array.from(
        { length: lease.count * lease.k },
        (_, n) => [lease.firstOrdinal + Math.floor(n / lease.k), n % lease.k] as const,
      );
      const samples = places.map(([ordinal, completionIndex]) => {
        const made = make(ordinal, completionIndex, runIndex);
        return {
          ordinal,
          completionIndex,
          scorerId,
          kind: made.kind,
          score: made.score ?? (made.kind === 'pass' ? 1 : 0),
          detail: made.error ? null : { because: made.kind },
          error: made.error ?? null,
          trace: made.error ? null : trace(made),
          borrowed: null,
        };
      });
      const usage = {
        samples: samples.length,
        promptTokens: 5 * samples.length,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        completionTokens: 3 * samples.length,
        costNano: 1_500n * BigInt(samples.length),
        priceBasis: 'free',
        durationMs: 1,
      };
      await recordOutcomes(database, lease, { samples, usage, part: 0, final: true });
    }
  }
}

function trace({ raw = 'answer', answerStart = 0, reasoning }: Made): TraceRow {
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
  return {
    id: randomUUID(),
    reuseKey: null,
    raw: bytes,
    tokenIds: null,
    answerStart,
    answerEnd: bytes.length,
    reasoningStart: reasoning?.[0] ?? null,
    reasoningEnd: reasoning?.[1] ?? null,
    reasoningChars: reasoning ? reasoning[1] - reasoning[0] : null,
    unclosedThinking: false,
    thinking: { applied: false, triggered: false },
    steps: null,
    rounds: 1,
    stopReason: 'stop',
    promptTokens: 5,
    cachedTokens: CACHED,
    cacheWriteTokens: 0,
    completionTokens: 3,
    latencyMs: 12.5,
    costNano: 1_500n,
    priceBasis: 'free',
    provenanceId: null,
  };
}

/** Ends a job as the scheduler does, with one reduced outcome per example and numbers that are only there to be shown. */
export async function finish(api: TestApi, jobId: string, verdict: Verdict | null = null): Promise<void> {
  const { database } = api;
  const [job] = await database.query<{ projectId: string; exampleCount: number }>(
    `SELECT project_id AS "projectId", example_count AS "exampleCount" FROM jobs WHERE id = $1`,
    [jobId],
  );
  const runs = await database.query<{ runId: string }>(`SELECT id AS "runId" FROM runs WHERE job_id = $1 ORDER BY ordinal`, [jobId]);
  if (!job) throw new Error(`no job ${jobId}`);
  for (const { runId } of runs) {
    const rows = Array.from({ length: job.exampleCount }, (_, ordinal) => ({
      ordinal,
      kind: ordinal % 2 === 0 ? ('pass' as const) : ('fail' as const),
      score: ordinal % 2 === 0 ? 1 : 0,
      representative: 0,
      numPass: ordinal % 2 === 0 ? 1 : 0,
      numFail: ordinal % 2 === 0 ? 0 : 1,
      numInvalid: 0,
      numError: 0,
      numSkipped: 0,
    }));
    await insertReduced(database, job.projectId, runId, rows);
  }
  const [baseline, candidate] = runs;
  await finishJob(database, {
    jobId,
    projectId: job.projectId,
    state: 'completed',
    runs: runs.map(({ runId }) => ({ runId, metrics: metricsOf(job.exampleCount) })),
    comparisons:
      baseline && candidate
        ? [
            {
              baselineRunId: baseline.runId,
              candidateRunId: candidate.runId,
              inputDigest: 'sha256:0',
              body: JSON.stringify(COMPARISON),
              verdict: verdict && { verdict, body: JSON.stringify(verdict) },
            },
          ]
        : [],
  });
}
