import { type Queryable } from '@kiln/database';
import { expect } from 'vitest';
import { recomputeResults, storedResults } from './recompute-results.fixture.js';

/**
 * What holds of every job that has ended, whatever happened meanwhile. Each query answers the rows that break a rule; the
 * numbers are those of the fault harness. $1 is the job.
 */
const RULES: Record<string, string> = {
  'I1 the shards of a run are done and cover its examples exactly once': `
    SELECT r.ordinal, s.phase, count(*) AS shards, sum(s.count) AS examples, count(*) FILTER (WHERE s.state <> 'done') AS unfinished
      FROM runs r JOIN jobs j ON j.id = r.job_id JOIN shards s ON s.run_id = r.id
     WHERE j.id = $1 AND (s.phase = 'generate' OR r.source_run_id IS NOT NULL OR j.stop_reason IS NULL)
     GROUP BY r.id, r.ordinal, s.phase, j.example_count, j.selection
    HAVING sum(s.count) <> j.example_count
        OR (j.selection IS NULL AND (min(s.first_ordinal) <> 0 OR max(s.first_ordinal + s.count) <> j.example_count))
        OR count(*) FILTER (WHERE s.state <> 'done' OR s.end_reason IS NULL) > 0`,
  'I1 every sample has one outcome, or its shard ended for a reason': `
    SELECT r.ordinal AS run, s.first_ordinal, s.end_reason, s.count * j.k AS samples, n.outcomes, s.recorded
      FROM shards s JOIN jobs j ON j.id = s.job_id JOIN runs r ON r.id = s.run_id
      CROSS JOIN LATERAL (SELECT count(*) AS outcomes, count(*) FILTER (WHERE kind = 'pass') AS passes FROM outcomes o
                           WHERE o.run_id = s.run_id AND o.ordinal >= s.first_ordinal AND o.ordinal < s.first_ordinal + s.count) n
     WHERE j.id = $1 AND (s.phase = 'score' OR r.score_queue IS NULL) AND (s.recorded <> n.outcomes OR s.passed <> n.passes
        OR (s.end_reason = 'completed' AND n.outcomes <> s.count * j.k))`,
  'I2 no outcome, trace or score without admission': `
    SELECT o.ordinal, o.completion_index FROM outcomes o JOIN runs r ON r.id = o.run_id JOIN jobs j ON j.id = r.job_id
     WHERE j.id = $1 AND (NOT CASE WHEN j.selection IS NULL THEN o.ordinal BETWEEN 0 AND j.example_count - 1
                             ELSE EXISTS (SELECT 1 FROM job_selection c WHERE c.job_id = j.id AND c.ordinal = o.ordinal) END OR o.completion_index NOT BETWEEN 0 AND j.k - 1)
    UNION ALL
    SELECT t.ordinal, t.completion_index FROM traces t JOIN runs r ON r.id = t.run_id
      LEFT JOIN outcomes o ON o.trace_id = t.id AND o.run_id = r.id
      LEFT JOIN scores s ON s.trace_id = t.id AND s.scorer_id = o.scorer_id
     WHERE r.job_id = $1 AND ((o.trace_id IS NULL AND r.score_queue IS NULL)
        OR (o.error_code IS NULL AND o.trace_id IS NOT NULL AND (s.trace_id IS NULL OR s.kind <> o.kind OR s.value <> o.score)))`,
  'I3 a reduced outcome has all its completions, and an example without one lacks some': `
    SELECT r.ordinal AS run, v.ordinal, n.outcomes, d.run_id IS NOT NULL AS reduced
      FROM jobs j JOIN runs r ON r.job_id = j.id JOIN suite_version_examples v ON v.version_id = j.suite_version_id
      CROSS JOIN LATERAL (SELECT count(*) AS outcomes FROM outcomes o WHERE o.run_id = r.id AND o.ordinal = v.ordinal) n
      LEFT JOIN reduced_outcomes d ON d.run_id = r.id AND d.ordinal = v.ordinal AND d.scorer_id = 0
     WHERE j.id = $1 AND j.started_at IS NOT NULL AND (d.run_id IS NOT NULL) <> (n.outcomes = j.k)`,
  'I4 nothing is reserved at rest': `
    SELECT b.cost_reserved, b.tokens_reserved FROM budgets b WHERE b.job_id = $1 AND (b.cost_reserved <> 0 OR b.tokens_reserved <> 0)
    UNION ALL
    SELECT cost_reserved, tokens_reserved FROM shards WHERE job_id = $1 AND (cost_reserved <> 0 OR tokens_reserved <> 0)`,
  'I4 what is spent is what the ledger says': `
    SELECT b.cost_spent, b.tokens_spent, u.* FROM budgets b CROSS JOIN LATERAL (
        SELECT coalesce(sum(cost), 0) AS cost, coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens
          FROM usage_ledger WHERE job_id = b.job_id) u
     WHERE b.job_id = $1 AND (b.cost_spent <> u.cost OR b.tokens_spent <> u.tokens)`,
  'I4 the caps are kept, but for what attempts used beyond their bound or after they had lost their lease': `
    SELECT b.cost_cap, b.cost_spent, b.token_cap, b.tokens_spent, e.* FROM budgets b CROSS JOIN LATERAL (
        SELECT coalesce(sum(greatest(l.cost - l.samples * coalesce(s.sample_cost_bound, r.sample_cost_bound), 0))
                          FILTER (WHERE l.purpose <> 'wasted'), 0)
                 + coalesce(sum(l.cost) FILTER (WHERE l.purpose = 'wasted'), 0) AS excess_cost,
               coalesce(sum(greatest(l.prompt_tokens + l.completion_tokens - l.samples * coalesce(s.sample_token_bound, r.sample_token_bound), 0))
                          FILTER (WHERE l.purpose <> 'wasted'), 0)
                 + coalesce(sum(l.prompt_tokens + l.completion_tokens) FILTER (WHERE l.purpose = 'wasted'), 0) AS excess_tokens
          FROM usage_ledger l JOIN runs r ON r.id = l.run_id LEFT JOIN shards s ON s.id = l.shard_id WHERE l.job_id = b.job_id) e
     WHERE b.job_id = $1 AND (b.cost_spent > b.cost_cap + e.excess_cost OR b.tokens_spent > b.token_cap + e.excess_tokens)`,
  'I5 no more leases than allowed at any instant': `
    SELECT h.at, h.leased, j.concurrency FROM shard_history h JOIN jobs j ON j.id = h.job_id
     WHERE j.id = $1 AND h.leased > j.concurrency`,
  'I6 no claim under another halt epoch than that of the admission': `
    SELECT h.at, h.shard_id, h.halt_epoch, j.halt_epoch FROM shard_history h JOIN jobs j ON j.id = h.job_id
     WHERE j.id = $1 AND h.to_state = 'leased' AND h.halt_epoch <> j.halt_epoch`,
  'I7 fences only grow': `
    SELECT shard_id, fence, before FROM (
      SELECT shard_id, fence, lag(fence) OVER (PARTITION BY shard_id ORDER BY id) AS before FROM usage_ledger
       WHERE job_id = $1 AND purpose <> 'wasted') w WHERE fence < before
    UNION ALL
    SELECT shard_id, fence, before FROM (
      SELECT shard_id, fence, lag(fence) OVER (PARTITION BY shard_id ORDER BY id) AS before FROM shard_history
       WHERE job_id = $1 AND to_state = 'leased') l WHERE fence <= before
    UNION ALL
    SELECT s.id, o.fence, s.fence FROM shards s JOIN runs r ON r.id = s.run_id JOIN outcomes o ON o.run_id = s.run_id AND o.ordinal >= s.first_ordinal
       AND o.ordinal < s.first_ordinal + s.count WHERE s.job_id = $1 AND (s.phase = 'score' OR r.score_queue IS NULL) AND o.trace_id IS NOT NULL AND o.fence > s.fence`,
};

/** Checks every rule on a job that has ended, and that its results are those of its raw outcomes (I8). */
export async function checkInvariants(db: Queryable, jobId: string): Promise<void> {
  for (const [rule, sql] of Object.entries(RULES)) {
    expect(await db.query(sql, [jobId]), rule).toEqual([]);
  }
  expect(await storedResults(db, jobId), 'I8 results follow from the raw outcomes').toEqual(await recomputeResults(db, jobId));
}
