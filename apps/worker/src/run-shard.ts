import { type Database, endAttempt, type Lease, loadShard, retryTransient, StaleLeaseError } from '@kiln/database';
import { EngineCrashed, type Generator, generatorKindOf, type SampleError, type SampleResult } from '@kiln/inference';
import { type Logger } from '@kiln/observability';
import { MAX_STARTS, retryDelayMs, sampleDeadlineMs } from '@kiln/running';
import { type AbortReason, type HeldShard } from './lease-keeper.js';
import { OutcomeWriter } from './outcome-writer.js';
import { type LoadedTargets } from './loaded-targets.js';
import { failedSample, scoredSample } from './record-sample.js';
import { type RegisteredScorer, type ScorerCache } from './scorer-cache.js';
import { type PlannedSample, planSamples } from './shard-plan.js';
import { type ShardResult } from './shard-result.js';
import { type SuiteHeaders } from './suite-headers.js';
import { type TraceIds } from './trace-ids.js';
import { type WorkerMetrics } from './worker-metrics.js';

export interface ShardTools {
  db: Database;
  engine: Generator;
  targets: LoadedTargets;
  headers: SuiteHeaders;
  scorers: ScorerCache;
  traceIds: TraceIds;
  metrics: WorkerMetrics;
  /** How long a result transaction is tried again while the database is away. */
  retryMs: number;
}

/**
 * Works on a leased shard: generates what is missing, scores it, stores it, and ends the shard or gives it back.
 *
 * @param giveUp when set, nothing is generated: what is missing is stored as `error` with this reason
 */
export async function runShard(
  tools: ShardTools,
  lease: Lease,
  held: HeldShard,
  giveUp: 'start_limit' | 'crash_limit' | null,
  log: Logger,
): Promise<ShardResult> {
  try {
    const attempt = await startAttempt(tools, lease, held);
    const failure = giveUp === null ? await generateAll(tools, lease, attempt) : giveUpAll(attempt, giveUp);
    if (await attempt.writer.finish()) return 'completed';
    return await giveBack(tools, lease, attempt.signal, failure);
  } catch (error) {
    if (error instanceof StaleLeaseError) return 'lost';
    log.error({ err: error }, 'shard attempt failed');
    await endAttempt(tools.db, lease, { kind: 'retry', delayMs: retryDelayMs(lease.starts, Math.random()) }).catch(() => {
      // The database is away: the lease runs out by itself.
    });
    return 'retry';
  } finally {
    held.drop();
  }
}

interface Attempt {
  samples: Map<string, PlannedSample>;
  scorers: Map<PlannedSample, RegisteredScorer>;
  writer: OutcomeWriter;
  signal: AbortSignal;
}

async function startAttempt(tools: ShardTools, lease: Lease, held: HeldShard): Promise<Attempt> {
  const [header, examples] = await Promise.all([
    tools.headers.get(lease.suiteVersionId),
    retryTransient(
      () => loadShard(tools.db, lease),
      tools.retryMs,
      (error) => tools.metrics.databaseRetried(error),
    ),
  ]);
  const planned = planSamples(lease, header, examples, sampleDeadlineMs(lease.target));
  const scorers = new Map<PlannedSample, RegisteredScorer>();
  for (const sample of planned) scorers.set(sample, await tools.scorers.get(sample.scorer));
  const writeFailed = new AbortController();
  const writer = new OutcomeWriter(tools.db, lease, {
    missing: planned.length,
    priceBasis: lease.target.pricing.kind,
    retryMs: tools.retryMs,
    metrics: tools.metrics,
    onFailure: () => writeFailed.abort('lost' satisfies AbortReason),
  });
  const samples = new Map(planned.map((sample) => [sample.request.id, sample]));
  return { samples, scorers, writer, signal: AbortSignal.any([held.signal, writeFailed.signal]) };
}

/** What kept an attempt from its last sample. */
type Failure = { kind: 'crashed' } | { kind: 'retry' } | null;

async function generateAll(tools: ShardTools, lease: Lease, attempt: Attempt): Promise<Failure> {
  const { samples, signal } = attempt;
  if (samples.size === 0 || signal.aborted) return null;
  const lastStart = lease.starts >= MAX_STARTS;
  try {
    const { provenanceId } = await tools.targets.load(lease.target);
    const requests = [...samples.values()].map((sample) => sample.request);
    let retry = false;
    for await (const result of tools.engine.generate(requests, signal)) {
      retry = store(tools, attempt, result, provenanceId, lastStart) || retry;
    }
    return retry ? { kind: 'retry' } : null;
  } catch (error) {
    if (error instanceof EngineCrashed) return { kind: 'crashed' };
    if (!lastStart) throw error;
    // The target could not be made ready three times: that is what its samples come to.
    const message = error instanceof Error ? error.message : String(error);
    failAll(attempt, { code: errorCode(error), message, retryable: false });
    return null;
  }
}

/** @returns true when the sample is left for another attempt */
function store(
  tools: ShardTools,
  { samples, scorers, writer }: Attempt,
  result: SampleResult,
  provenanceId: number | null,
  lastStart: boolean,
): boolean {
  const sample = samples.get(result.id);
  if (!sample) return false;
  const scorer = scorers.get(sample)!;
  // An endpoint's generator has tried again by itself, as often as the guide says and no more.
  const again = !result.ok && result.error.retryable && sample.request.target.kind === 'model';
  if (again && !lastStart) return true;
  samples.delete(result.id);
  tools.metrics.sampleEnded(result, generatorKindOf(sample.request.target));
  writer.add(
    result.ok
      ? scoredSample(sample, scorer, result.trace, provenanceId, tools.traceIds.next())
      : failedSample(sample, scorer.id, result.error),
  );
  return false;
}

function giveUpAll(attempt: Attempt, reason: 'start_limit' | 'crash_limit'): Failure {
  const message =
    reason === 'crash_limit'
      ? 'the engine crashed each time it worked on this example'
      : 'the shard was started three times and nothing of it could be recorded';
  failAll(attempt, { code: reason, message, retryable: false });
  return null;
}

function failAll({ samples, scorers, writer }: Attempt, error: SampleError): void {
  for (const sample of samples.values()) writer.add(failedSample(sample, scorers.get(sample)!.id, error));
  samples.clear();
}

async function giveBack(tools: ShardTools, lease: Lease, signal: AbortSignal, failure: Failure): Promise<ShardResult> {
  const reason = signal.aborted ? (signal.reason as AbortReason) : null;
  if (reason === 'lost') return 'lost';
  if (reason === 'cancelled' || reason === 'halted') {
    await endAttempt(tools.db, lease, { kind: 'stopped', reason });
    return 'stopped';
  }
  if (reason === 'draining') {
    await endAttempt(tools.db, lease, { kind: 'released' });
    return 'released';
  }
  if (failure?.kind === 'crashed') {
    await endAttempt(tools.db, lease, { kind: 'crashed' });
    return 'crashed';
  }
  await endAttempt(tools.db, lease, { kind: 'retry', delayMs: retryDelayMs(lease.starts, Math.random()) });
  return 'retry';
}

function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'target_unavailable';
}
