import {
  type AttemptUsage,
  type Database,
  type Lease,
  type OutcomeBatch,
  recordWaste,
  retryTransient,
  StaleLeaseError,
} from '@kiln/database';
import { MAX_SHARD_SAMPLES } from '@kiln/running';
import { type SampleUsage } from './sample-usage.js';
import { type WorkerMetrics } from './worker-metrics.js';

/** Results wait this long at most before they are stored: what a crash can cost. */
const FLUSH_MS = 1_000;

export interface OutcomeWriterOptions<Sample> {
  /** Samples that the shard still lacks. */
  missing: number;
  /** Writes a batch in one transaction. */
  record: (db: Database, lease: Lease, batch: OutcomeBatch<Sample>) => Promise<void>;
  /** What a sample consumed, with its price. */
  usageOf: (sample: Sample) => SampleUsage;
  priceBasis: string;
  /** How long a transaction is tried again while the database is away. */
  retryMs: number;
  metrics: WorkerMetrics;
  /** A write failed for good: what is generated from here on cannot be stored. */
  onFailure: () => void;
}

/**
 * Gathers a shard's results and writes them in few transactions, one after the other: when MAX_SHARD_SAMPLES are there, when
 * the oldest has waited FLUSH_MS, and at the end.
 */
export class OutcomeWriter<Sample> {
  #buffer: Sample[] = [];
  #part = 0;
  #recorded = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown;
  #lastWriteAt = performance.now();

  constructor(
    private readonly db: Database,
    private readonly lease: Lease,
    private readonly options: OutcomeWriterOptions<Sample>,
  ) {}

  /** Samples that were stored. */
  get recorded(): number {
    return this.#recorded;
  }

  add(sample: Sample): void {
    this.#buffer.push(sample);
    if (this.#buffer.length + this.#recorded === this.options.missing) return;
    if (this.#buffer.length >= MAX_SHARD_SAMPLES) this.#startWrite();
    else this.#timer ??= setTimeout(() => this.#startWrite(), FLUSH_MS);
  }

  /**
   * Stores what is left. When that completes the shard, the shard ends with the same transaction.
   *
   * @returns true when the shard is complete
   * @throws StaleLeaseError when the lease was lost; what was generated for nothing is in the ledger as waste
   */
  async finish(): Promise<boolean> {
    this.#startWrite();
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
    return this.#recorded === this.options.missing;
  }

  #startWrite(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch((error: unknown) => {
        this.#failure ??= error;
        this.options.onFailure();
      });
  }

  async #write(): Promise<void> {
    const samples = this.#buffer;
    // A shard that lacks nothing still has to end.
    if ((samples.length === 0 && this.options.missing > 0) || this.#failure !== undefined) return;
    this.#buffer = [];
    // The ledger has one cost per write, null when a part of it is unknown: what is known must not vanish in that null.
    const priced: Sample[] = [];
    const unpriced: Sample[] = [];
    for (const sample of samples) (this.options.usageOf(sample).costNano === null ? unpriced : priced).push(sample);
    if (priced.length > 0 || unpriced.length === 0) await this.#store(priced, 0n);
    if (unpriced.length > 0) await this.#store(unpriced, null);
  }

  /** @param costNano 0 when the costs of all samples are known, to which they are added; null when none is */
  async #store(samples: readonly Sample[], costNano: bigint | null): Promise<void> {
    const usage = this.#usage(samples, costNano);
    const part = this.#part++;
    const final = this.#recorded + samples.length === this.options.missing;
    try {
      await retryTransient(
        () => this.options.record(this.db, this.lease, { samples, usage, part, final }),
        this.options.retryMs,
        (error) => this.options.metrics.databaseRetried(error),
      );
      this.#recorded += samples.length;
      const excess = (usage.costNano ?? 0n) - this.lease.costBoundNano * BigInt(samples.length);
      if (excess > 0n) this.options.metrics.overshot(excess);
    } catch (error) {
      if (error instanceof StaleLeaseError) await recordWaste(this.db, this.lease, part, usage);
      throw error;
    }
  }

  #usage(samples: readonly Sample[], costNano: bigint | null): AttemptUsage {
    const now = performance.now();
    const durationMs = now - this.#lastWriteAt;
    this.#lastWriteAt = now;
    const total = { promptTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, completionTokens: 0 };
    for (const sample of samples) {
      const usage = this.options.usageOf(sample);
      total.promptTokens += usage.promptTokens;
      total.cachedTokens += usage.cachedTokens;
      total.cacheWriteTokens += usage.cacheWriteTokens;
      total.completionTokens += usage.completionTokens;
      if (costNano !== null) costNano += usage.costNano ?? 0n;
    }
    return { samples: samples.length, ...total, costNano, priceBasis: this.options.priceBasis, durationMs };
  }
}
