import { type Lease, loadShard, recordOutcomes, retryTransient } from '@kiln/database';
import { EngineCrashed, generatorKindOf, type SampleError, type SampleResult } from '@kiln/inference';
import { MAX_STARTS, sampleDeadlineMs } from '@kiln/running';
import { type Attempt, type Failure, GIVE_UP_MESSAGES } from './attempt.js';
import { errorCode } from './error-code.js';
import { type AbortReason } from './lease-keeper.js';
import { OutcomeWriter } from './outcome-writer.js';
import { borrowedSample, failedSample, generatedSample } from './record-sample.js';
import { replayedTimeLimits } from './replayed-time-limits.js';
import { findReusable, NO_REUSE, type Reuse } from './reuse-traces.js';
import { generationUsage } from './sample-usage.js';
import { type RegisteredScorer } from './scorer-cache.js';
import { type PlannedSample, planSamples } from './shard-plan.js';
import { type ShardTools } from './shard-tools.js';

/**
 * Starts an attempt at a shard in phase `generate`: finds what is missing, and generates it. Inline scorers grade each trace before
 * it is stored; a run whose scoring follows stores traces only.
 */
export async function startGenerating(tools: ShardTools, lease: Lease, held: AbortSignal): Promise<Attempt> {
  const patiently = <T>(read: () => Promise<T>): Promise<T> =>
    retryTransient(read, tools.retryMs, (error) => tools.metrics.databaseRetried(error));
  const [header, examples, timeLimits] = await Promise.all([
    tools.headers.get(lease.suiteVersionId),
    patiently(() => loadShard(tools.db, lease)),
    patiently(() => replayedTimeLimits(tools.db, lease)),
  ]);
  const planned = planSamples(lease, header, examples, sampleDeadlineMs(lease.target), timeLimits);
  const scorers = new Map<PlannedSample, RegisteredScorer>();
  for (const sample of planned) scorers.set(sample, await tools.scorers.get(sample.scorer, lease.judging));
  const writeFailed = new AbortController();
  const priceBasis = lease.target.pricing.kind;
  const writer = new OutcomeWriter(tools.db, lease, {
    missing: planned.length,
    record: recordOutcomes,
    usageOf: (sample) => generationUsage(sample, priceBasis),
    priceBasis,
    retryMs: tools.retryMs,
    metrics: tools.metrics,
    onFailure: () => writeFailed.abort('lost' satisfies AbortReason),
  });
  return new GeneratingAttempt(tools, lease, {
    samples: new Map(planned.map((sample) => [sample.request.id, sample])),
    scorers,
    writer,
    signal: AbortSignal.any([held, writeFailed.signal]),
  });
}

interface Parts {
  /** What is missing, by the request's id. */
  samples: Map<string, PlannedSample>;
  scorers: Map<PlannedSample, RegisteredScorer>;
  writer: OutcomeWriter<Parameters<typeof generationUsage>[0]>;
  signal: AbortSignal;
}

class GeneratingAttempt implements Attempt {
  readonly signal: AbortSignal;
  readonly #lastStart: boolean;
  #reuse: Reuse = NO_REUSE;
  #asked = false;

  constructor(
    private readonly tools: ShardTools,
    private readonly lease: Lease,
    private readonly parts: Parts,
  ) {
    this.signal = parts.signal;
    this.#lastStart = lease.starts >= MAX_STARTS;
  }

  /** An endpoint is asked about so many samples at a time; a local model bills nobody. */
  get underWay(): number {
    const { target } = this.lease;
    if (target.kind !== 'endpoint' || !this.#asked) return 0;
    return Math.min(this.parts.samples.size - this.#reuse.deferred.size, target.concurrency);
  }

  async run(): Promise<Failure> {
    const { tools, lease, signal } = this;
    const { samples } = this.parts;
    if (samples.size === 0) return null;
    try {
      const loaded = await tools.targets.load(lease.target);
      this.#reuse = await findReusable(tools, lease, [...samples.values()], loaded.provenanceDigest);
      for (const [id, trace] of this.#reuse.reusable) this.#store(id, (sample, scorer) => borrowedSample(sample, scorer, trace, lease));
      const requests = [...samples.values()].map(({ request }) => request).filter(({ id }) => !this.#reuse.deferred.has(id));
      this.#asked = true;
      let retry = false;
      for await (const result of tools.engine.generate(requests, signal)) {
        retry = this.#take(result, loaded.provenanceId) || retry;
      }
      if (retry) return 'retry';
      return this.#reuse.deferred.size > 0 ? 'deferred' : null;
    } catch (error) {
      if (error instanceof EngineCrashed) return 'crashed';
      if (!this.#lastStart) throw error;
      // The target could not be made ready three times: that is what its samples come to.
      const message = error instanceof Error ? error.message : String(error);
      this.#failAll({ code: errorCode(error, 'target_unavailable'), message, retryable: false });
      return null;
    }
  }

  giveUp(reason: keyof typeof GIVE_UP_MESSAGES): void {
    this.#failAll({ code: reason, message: GIVE_UP_MESSAGES[reason], retryable: false });
  }

  finish(): Promise<boolean> {
    return this.parts.writer.finish();
  }

  /** @returns true when the sample is left for another attempt */
  #take(result: SampleResult, provenanceId: number | null): boolean {
    const { tools, lease } = this;
    const target = this.parts.samples.get(result.id)?.request.target;
    if (target === undefined) return false;
    // An endpoint's generator has tried again by itself, as often as the guide says and no more.
    const again = !result.ok && result.error.retryable && target.kind === 'model';
    if (again && !this.#lastStart) return true;
    tools.metrics.sampleEnded(result, generatorKindOf(target));
    this.#store(result.id, (sample, scorer) => {
      if (!result.ok) return failedSample(sample, scorer.id, result.error);
      const reuseKey = this.#reuse.keys.get(result.id) ?? null;
      return generatedSample(sample, scorer, lease, { generated: result.trace, provenanceId, id: tools.traceIds.next(), reuseKey });
    });
    return false;
  }

  #failAll(error: SampleError): void {
    for (const id of this.parts.samples.keys()) this.#store(id, (sample, scorer) => failedSample(sample, scorer.id, error));
  }

  #store(id: string, record: (sample: PlannedSample, scorer: RegisteredScorer) => ReturnType<typeof failedSample>): void {
    const sample = this.parts.samples.get(id);
    if (!sample) return;
    this.parts.samples.delete(id);
    this.parts.writer.add(record(sample, this.parts.scorers.get(sample)!));
  }
}
