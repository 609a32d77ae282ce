import { type JudgeUsage } from '@kiln/contracts';
import { type SampleResult } from '@kiln/inference';
import { type Metrics } from '@kiln/observability';
import { type ShardResult } from './shard-result.js';

/** What a worker counts. */
export class WorkerMetrics {
  constructor(
    private readonly metrics: Metrics,
    private readonly pool: string,
  ) {}

  claimed(outcome: string, waitedMs: number | null): void {
    if (waitedMs !== null) this.metrics.queueWait.observe({ pool: this.pool }, waitedMs / 1000);
    this.metrics.claims.inc({ result: outcome });
  }

  slots(size: number, busy: number): void {
    this.metrics.slots.set({ pool: this.pool }, size);
    this.metrics.slotsBusy.set({ pool: this.pool }, busy);
  }

  leasesRenewed(count: number): void {
    this.metrics.leaseRenewals.inc(count);
  }

  /** A transaction is run again after this error. */
  databaseRetried(error: unknown): void {
    const code = (error as { code?: unknown } | null)?.code;
    this.metrics.dbRetries.inc({ sqlstate_class: typeof code === 'string' ? code.slice(0, 2) : 'connection' });
  }

  /** An attempt spent more than was reserved for it, in nano-dollars. */
  overshot(nano: bigint): void {
    this.metrics.budgetOvershoot.inc({ scope: 'job', unit: 'usd' }, Number(nano) / 1e9);
  }

  leaseLost(): void {
    this.metrics.leasesLost.inc({ reason: 'expired' });
  }

  shardEnded(result: ShardResult): void {
    if (result === 'lost') this.metrics.staleWrites.inc({ reason: 'lease_lost' });
  }

  /** What became of the samples for which stored traces were looked up. */
  tracesLookedUp(counts: Record<'reused' | 'deferred' | 'generated', number>): void {
    for (const [result, count] of Object.entries(counts)) if (count > 0) this.metrics.traceReuse.inc({ result }, count);
  }

  judged(usage: JudgeUsage): void {
    this.metrics.tokens.inc({ direction: 'in', purpose: 'judge' }, usage.prompt_tokens);
    this.metrics.tokens.inc({ direction: 'out', purpose: 'judge' }, usage.completion_tokens);
  }

  sampleEnded(result: SampleResult, engine: string): void {
    this.metrics.attempts.inc({ outcome: result.ok ? 'ok' : 'error' });
    if (!result.ok) return;
    const { trace } = result;
    this.metrics.inferenceDuration.observe({ engine }, trace.latencyMs / 1000);
    this.metrics.tokens.inc({ direction: 'in', purpose: 'sample' }, trace.promptTokens);
    this.metrics.tokens.inc({ direction: 'out', purpose: 'sample' }, trace.completionTokens);
  }
}
