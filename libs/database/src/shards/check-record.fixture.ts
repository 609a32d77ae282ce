import { expect } from 'vitest';
import { type Queryable } from '../database.js';

/**
 * What must hold of a job's record after every commit, whatever happened. Each query answers the rows that break a rule; the
 * numbers are those of the fault harness: I2 no outcome without admission, I3 each sample at most once and inside its bounds,
 * I4 the budget is the sum of its parts and keeps the cap, I5 leases within the limit, I7 fences only grow.
 */
const RULES: Record<string, string> = {
  'I2 outcomes lie inside the admitted range': `
    SELECT o.ordinal, o.completion_index FROM outcomes o JOIN runs r ON r.id = o.run_id JOIN jobs j ON j.id = r.job_id
     WHERE j.id = $1 AND (o.ordinal NOT BETWEEN 0 AND j.example_count - 1 OR o.completion_index NOT BETWEEN 0 AND j.k - 1)`,
  'I3 the shards of a run cover its examples exactly once': `
    SELECT r.ordinal, count(*) AS shards, sum(s.count) AS examples FROM runs r JOIN jobs j ON j.id = r.job_id
      JOIN shards s ON s.run_id = r.id WHERE j.id = $1 GROUP BY r.id, r.ordinal, j.example_count
    HAVING sum(s.count) <> j.example_count OR min(s.first_ordinal) <> 0 OR max(s.first_ordinal + s.count) <> j.example_count`,
  'I3 no two shards of a run overlap': `
    SELECT a.id, b.id FROM shards a JOIN shards b ON b.run_id = a.run_id AND b.id <> a.id AND b.first_ordinal >= a.first_ordinal
       AND b.first_ordinal < a.first_ordinal + a.count WHERE a.job_id = $1`,
  'I3 counters equal a recount, and a completed shard misses nothing': `
    SELECT s.first_ordinal, s.recorded, s.passed, s.score_sum, n.* FROM shards s JOIN jobs j ON j.id = s.job_id
      CROSS JOIN LATERAL (
        SELECT count(*) AS outcomes, count(*) FILTER (WHERE o.kind = 'pass') AS passes, coalesce(sum(o.score), 0) AS score
          FROM outcomes o WHERE o.run_id = s.run_id AND o.ordinal >= s.first_ordinal AND o.ordinal < s.first_ordinal + s.count) n
     WHERE s.job_id = $1 AND (s.recorded <> n.outcomes OR s.passed <> n.passes OR abs(s.score_sum - n.score) > 1e-9
       OR (s.end_reason = 'completed') AND s.recorded <> s.count * j.k)`,
  'I3 every outcome has its trace and every score belongs to one': `
    SELECT o.ordinal, t.id, sc.trace_id FROM outcomes o JOIN runs r ON r.id = o.run_id LEFT JOIN traces t ON t.id = o.trace_id
      LEFT JOIN scores sc ON sc.trace_id = t.id AND sc.scorer_id = o.scorer_id
     WHERE r.job_id = $1 AND o.kind <> 'error'
       AND (t.id IS NULL OR sc.trace_id IS NULL OR (t.run_id, t.ordinal, t.completion_index) IS DISTINCT FROM (o.run_id, o.ordinal, o.completion_index))`,
  'I4 what the budget holds is what its leases hold': `
    SELECT b.cost_reserved, b.tokens_reserved, s.* FROM budgets b CROSS JOIN LATERAL (
        SELECT sum(cost_reserved) AS cost, sum(tokens_reserved) AS tokens FROM shards WHERE job_id = b.job_id) s
     WHERE b.job_id = $1 AND (b.cost_reserved <> s.cost OR b.tokens_reserved <> s.tokens)`,
  'I4 only a lease holds, and as much as it misses at most': `
    SELECT s.first_ordinal, s.state, s.cost_reserved, s.tokens_reserved FROM shards s JOIN runs r ON r.id = s.run_id
      JOIN jobs j ON j.id = s.job_id WHERE s.job_id = $1
       AND (s.state <> 'leased' AND (s.cost_reserved <> 0 OR s.tokens_reserved <> 0)
         OR s.cost_reserved NOT IN (0, r.sample_cost_bound * (s.count * j.k - s.recorded))
         OR s.tokens_reserved NOT IN (0, r.sample_token_bound * (s.count * j.k - s.recorded)))`,
  'I4 what is spent is what the ledger says': `
    SELECT b.cost_spent, b.tokens_spent, u.* FROM budgets b CROSS JOIN LATERAL (
        SELECT coalesce(sum(cost), 0) AS cost, coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens
          FROM usage_ledger WHERE job_id = b.job_id) u
     WHERE b.job_id = $1 AND (b.cost_spent <> u.cost OR b.tokens_spent <> u.tokens)`,
  'I5 leases within the limit': `
    SELECT j.concurrency, s.leased FROM jobs j CROSS JOIN LATERAL (
        SELECT count(*) AS leased FROM shards WHERE job_id = j.id AND state = 'leased') s
     WHERE j.id = $1 AND s.leased > j.concurrency`,
  'I7 no outcome carries a fence that its shard has not reached': `
    SELECT o.ordinal, o.fence, s.fence FROM shards s JOIN outcomes o ON o.run_id = s.run_id
       AND o.ordinal >= s.first_ordinal AND o.ordinal < s.first_ordinal + s.count
     WHERE s.job_id = $1 AND o.fence > s.fence`,
};

const ALL_RULES = Object.entries(RULES)
  .map(([rule, sql]) => `SELECT '${rule}' AS rule, to_jsonb(broken) AS broken FROM (${sql}) AS broken`)
  .join(' UNION ALL ');

/** Checks every rule on a job, in one snapshot. */
export async function checkRecord(db: Queryable, jobId: string): Promise<void> {
  expect(await db.query(ALL_RULES, [jobId])).toEqual([]);
}

/**
 * Checks that spend and reservations keep a cap.
 *
 * @param overNano nano-USD by which actual costs exceeded their bound, and waste: what may be above the cap
 */
export async function checkCap(db: Queryable, jobId: string, overNano = 0n): Promise<void> {
  const broken = await db.query(
    `SELECT cost_cap, cost_spent, cost_reserved FROM budgets
      WHERE job_id = $1 AND cost_spent + cost_reserved > cost_cap + $2::numeric / 1e9`,
    [jobId, overNano],
  );
  expect(broken, 'I4 the cap').toEqual([]);
}
