import { type SampleResult } from '@kiln/inference';
import { type Metrics } from '@kiln/observability';
import { type ShardResult } from './shard-result.js';

/** What a worker counts. */
export class WorkerMetrics {
  constructor(
    private readonly metrics: Metrics,
    private readonly pool: string,
  ) {}

  claimed(outcome: string): void {
    this.metrics.claims.inc({ result: outcome });
  }

  slots(size: number, busy: number): void {
    this.metrics.slots.set({ pool: this.pool }, size);
    this.metrics.slotsBusy.set({ pool: this.pool }, busy);
  }

  leaseLost(): void {
    this.metrics.leasesLost.inc({ reason: 'expired' });
  }

  shardEnded(result: ShardResult): void {
    if (result === 'lost') this.metrics.staleWrites.inc({ reason: 'lease_lost' });
  }

  sampleEnded(result: SampleResult): void {
    this.metrics.attempts.inc({ outcome: result.ok ? 'ok' : 'error' });
    if (!result.ok) return;
    const { trace } = result;
    this.metrics.tokens.inc({ direction: 'in', purpose: 'sample' }, trace.promptTokens);
    this.metrics.tokens.inc({ direction: 'out', purpose: 'sample' }, trace.completionTokens);
  }
}
