import { endAttempt, type Lease, StaleLeaseError } from '@kiln/database';
import { type Logger } from '@kiln/observability';
import { retryDelayMs } from '@kiln/running';
import { type Attempt, type Failure, type GiveUpReason } from './attempt.js';
import { type AbortReason, type HeldShard } from './lease-keeper.js';
import { type ShardResult } from './shard-result.js';
import { type ShardTools } from './shard-tools.js';
import { startGenerating } from './start-generating.js';
import { startScoring } from './start-scoring.js';

/** How soon a shard looks again for traces that others are generating. */
const DEFERRED_MS = 500;

/**
 * Works on a leased shard: generates or scores what is missing, stores it, and ends the shard or gives it back.
 *
 * @param giveUp when set, nothing is done: what is missing is stored as `error` with this reason
 */
export async function runShard(
  tools: ShardTools,
  lease: Lease,
  held: HeldShard,
  giveUp: GiveUpReason | null,
  log: Logger,
): Promise<ShardResult> {
  try {
    const attempt = await (lease.phase === 'score' ? startScoring : startGenerating)(tools, lease, held.signal);
    let failure: Failure = null;
    if (giveUp !== null) attempt.giveUp(giveUp);
    else if (!attempt.signal.aborted) failure = await attempt.run();
    if (await attempt.finish()) return 'completed';
    return await giveBack(tools, lease, attempt, failure);
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

async function giveBack(tools: ShardTools, lease: Lease, { signal, underWay }: Attempt, failure: Failure): Promise<ShardResult> {
  const reason = signal.aborted ? (signal.reason as AbortReason) : null;
  if (reason === 'lost') return 'lost';
  if (reason === 'cancelled' || reason === 'halted') {
    await endAttempt(tools.db, lease, { kind: 'stopped', reason }, underWay);
    return 'stopped';
  }
  if (reason === 'draining') {
    await endAttempt(tools.db, lease, { kind: 'released' }, underWay);
    return 'released';
  }
  if (failure === 'crashed') {
    await endAttempt(tools.db, lease, { kind: 'crashed' }, underWay);
    return 'crashed';
  }
  if (failure === 'deferred') {
    await endAttempt(tools.db, lease, { kind: 'deferred', delayMs: DEFERRED_MS });
    return 'deferred';
  }
  await endAttempt(tools.db, lease, { kind: 'retry', delayMs: retryDelayMs(lease.starts, Math.random()) });
  return 'retry';
}
