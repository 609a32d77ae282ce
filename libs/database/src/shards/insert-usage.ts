import { formatNanoUsd } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { type Lease } from './lease.js';
import { type AttemptUsage } from './recorded-sample.js';

/** What was paid for: generating, judging, or neither, because the lease was lost. */
export type UsagePurpose = 'sample' | 'judge' | 'wasted';

/**
 * Appends to the usage ledger.
 *
 * @returns false when this (shard, fence, part, purpose) is in the ledger already
 */
export async function insertUsage(tx: Queryable, lease: Lease, part: number, purpose: UsagePurpose, usage: AttemptUsage): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO usage_ledger (project_id, job_id, run_id, shard_id, fence, part, purpose, samples, prompt_tokens,
                               cached_tokens, cache_write_tokens, completion_tokens, cost, price_basis, duration_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     ON CONFLICT (shard_id, fence, part, purpose) DO NOTHING RETURNING 1`,
    [
      lease.projectId,
      lease.jobId,
      lease.runId,
      lease.shardId,
      lease.fence,
      part,
      purpose,
      usage.samples,
      usage.promptTokens,
      usage.cachedTokens,
      usage.cacheWriteTokens,
      usage.completionTokens,
      usage.costNano === null ? null : formatNanoUsd(usage.costNano),
      usage.priceBasis,
      usage.durationMs,
    ],
  );
  return rows.length > 0;
}
