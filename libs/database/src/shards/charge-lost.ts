import { formatNanoUsd } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { type Lease } from './lease.js';

/** Number of the ledger row that charges what a lost attempt may have spent; its own writes count from 0. */
const LOST_PART = -1;

/**
 * Charges the calls of an attempt that nobody will ever hear of again: an endpoint may answer and bill them all the same, so the caps
 * must count them, at their reserved bound. The ledger says `bound`: what they cost is not known. Local models and judges bill nothing.
 * The caller has locked the shard and gives its reservation back afterwards.
 *
 * @param samples that may have been under way; null = all that were reserved, because their worker is gone
 */
export async function chargeLost(tx: Queryable, shardId: string, samples: number | null): Promise<void> {
  if (samples === 0) return;
  await tx.query(
    `WITH lost AS (
       SELECT s.id, s.project_id, s.job_id, s.run_id, s.fence, coalesce($2, s.count * j.k - s.recorded) AS samples,
              least(s.cost_reserved, coalesce($2 * coalesce(s.sample_cost_bound, r.sample_cost_bound), s.cost_reserved)) AS cost,
              least(s.tokens_reserved, coalesce($2 * coalesce(s.sample_token_bound, r.sample_token_bound), s.tokens_reserved)) AS tokens
         FROM shards s JOIN runs r ON r.id = s.run_id JOIN jobs j ON j.id = s.job_id JOIN targets t ON t.id = r.target_id
        WHERE s.id = $1 AND (s.cost_reserved > 0 OR s.tokens_reserved > 0)
          AND CASE s.phase WHEN 'generate' THEN t.kind = 'endpoint'
                   ELSE EXISTS (SELECT 1 FROM jsonb_each(r.judging->'targets') judge WHERE judge.value->>'kind' = 'endpoint') END),
     booked AS (
       INSERT INTO usage_ledger (project_id, job_id, run_id, shard_id, fence, part, purpose, samples, prompt_tokens, cached_tokens,
                                 cache_write_tokens, completion_tokens, cost, price_basis, duration_ms)
       SELECT project_id, job_id, run_id, id, fence, ${LOST_PART}, 'wasted', samples, tokens, 0, 0, 0, cost, 'bound', 0 FROM lost
       ON CONFLICT (shard_id, fence, part, purpose) DO NOTHING RETURNING job_id, cost, prompt_tokens)
     UPDATE budgets b SET cost_spent = b.cost_spent + booked.cost, tokens_spent = b.tokens_spent + booked.prompt_tokens
       FROM booked WHERE b.job_id = booked.job_id`,
    [shardId, samples],
  );
}

/**
 * Takes back the charge for samples of a lost attempt that were heard of after all: what they cost is booked by itself. A row against
 * the first one, because the ledger only grows.
 *
 * @param part of the write that tells of them
 */
export async function refundLost(tx: Queryable, lease: Lease, part: number, samples: number): Promise<void> {
  await tx.query(
    `WITH due AS (
       SELECT project_id, job_id, run_id, shard_id, fence, least(samples, $4) AS samples,
              least(prompt_tokens, $5::bigint * $4) AS tokens, least(cost, $6::numeric * $4) AS cost
         FROM usage_ledger WHERE shard_id = $1 AND fence = $2 AND part = ${LOST_PART} AND purpose = 'wasted'),
     booked AS (
       INSERT INTO usage_ledger (project_id, job_id, run_id, shard_id, fence, part, purpose, samples, prompt_tokens, cached_tokens,
                                 cache_write_tokens, completion_tokens, cost, price_basis, duration_ms)
       SELECT project_id, job_id, run_id, shard_id, fence, ${LOST_PART} - 1 - $3::int, 'wasted', -samples, -tokens, 0, 0, 0, -cost,
              'bound', 0 FROM due
       ON CONFLICT (shard_id, fence, part, purpose) DO NOTHING RETURNING job_id, cost, prompt_tokens)
     UPDATE budgets b SET cost_spent = b.cost_spent + booked.cost, tokens_spent = b.tokens_spent + booked.prompt_tokens
       FROM booked WHERE b.job_id = booked.job_id`,
    [lease.shardId, lease.fence, part, samples, lease.tokenBound, formatNanoUsd(lease.costBoundNano)],
  );
}
