import { type Verdict } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { type BudgetRow, JOB_COLUMNS, JOB_PROGRESS, type JobRow, RECORDS_OUTCOMES, type RunRow } from './job-row.js';

/** A job with everything its view shows; nothing in it grows with the number of samples. */
export interface JobDetail {
  job: JobRow;
  budget: BudgetRow;
  runs: RunRow[];
  verdicts: Verdict[];
}

const NO_BUDGET: BudgetRow = { costCap: null, costReserved: '0', tokenCap: null, tokensReserved: '0' };

/** The job of a project, or null. */
export async function findJob(db: Queryable, projectId: string, jobId: string): Promise<JobDetail | null> {
  const [job] = await db.query<JobRow>(`SELECT ${JOB_COLUMNS}, ${JOB_PROGRESS} FROM jobs j WHERE j.id = $1 AND j.project_id = $2`, [
    jobId,
    projectId,
  ]);
  if (!job) return null;
  const [budgets, runs, verdicts] = [await findBudget(db, jobId), await findRuns(db, jobId), await findVerdicts(db, jobId)];
  return { job, budget: budgets ?? NO_BUDGET, runs, verdicts };
}

async function findBudget(db: Queryable, jobId: string): Promise<BudgetRow | undefined> {
  const [budget] = await db.query<BudgetRow>(
    `SELECT cost_cap::text AS "costCap", cost_reserved::text AS "costReserved", token_cap::text AS "tokenCap",
            tokens_reserved::text AS "tokensReserved"
       FROM budgets WHERE job_id = $1`,
    [jobId],
  );
  return budget;
}

function findRuns(db: Queryable, jobId: string): Promise<RunRow[]> {
  return db.query<RunRow>(
    `SELECT r.id, r.ordinal AS index, r.name, t.definition AS target, t.definition_hash AS "targetHash",
            r.effective_generation_hash AS "effectiveGenerationHash", r.scorer, r.judging, r.metrics,
            CASE WHEN r.replay_record IS NOT NULL THEN
              jsonb_build_object('strict', r.replay_record->'strict', 'not_strict_because', r.replay_record->'not_strict_because',
                                 'record_sha256', r.replay_record->'record_sha256')
            END AS replay, r.started_at AS "startedAt",
            r.finished_at AS "finishedAt", coalesce(s.recorded, 0)::int AS recorded,
            coalesce(s.cost, 0)::text AS "reservedCost", coalesce(s.tokens, 0)::text AS "reservedTokens",
            json_build_object('knownCost', coalesce(u.cost, 0)::text, 'unpriced', coalesce(u.unpriced, false),
                              'tokens', coalesce(u.tokens, 0)::text, 'lostCost', coalesce(u.lost_cost, 0)::text,
                              'lostTokens', coalesce(u.lost_tokens, 0)::text, 'excessCost', coalesce(u.excess, 0)::text) AS usage
       FROM runs r JOIN targets t ON t.id = r.target_id
       LEFT JOIN (SELECT s.run_id, sum(s.recorded) FILTER (WHERE ${RECORDS_OUTCOMES}) AS recorded, sum(s.cost_reserved) AS cost,
                         sum(s.tokens_reserved) AS tokens
                    FROM shards s JOIN runs r ON r.id = s.run_id WHERE s.job_id = $1 GROUP BY s.run_id) s ON s.run_id = r.id
       LEFT JOIN (SELECT l.run_id, sum(l.cost) FILTER (WHERE l.price_basis <> 'bound') AS cost,
                         bool_or(l.cost IS NULL) OR coalesce(sum(l.cost) FILTER (WHERE l.price_basis = 'bound'), 0) > 0 AS unpriced,
                         sum(l.prompt_tokens + l.completion_tokens) FILTER (WHERE l.price_basis <> 'bound') AS tokens,
                         sum(l.cost) FILTER (WHERE l.price_basis = 'bound') AS lost_cost,
                         sum(l.prompt_tokens) FILTER (WHERE l.price_basis = 'bound') AS lost_tokens,
                         sum(greatest(l.cost - l.samples * coalesce(s.sample_cost_bound, b.sample_cost_bound), 0)) AS excess
                    FROM usage_ledger l JOIN runs b ON b.id = l.run_id LEFT JOIN shards s ON s.id = l.shard_id
                   WHERE l.job_id = $1 GROUP BY l.run_id) u ON u.run_id = r.id
      WHERE r.job_id = $1 ORDER BY r.ordinal`,
    [jobId],
  );
}

async function findVerdicts(db: Queryable, jobId: string): Promise<Verdict[]> {
  const rows = await db.query<{ body: string }>(
    `SELECT v.body FROM verdicts v JOIN comparisons c ON c.id = v.comparison_id JOIN runs r ON r.id = c.candidate_run_id
      WHERE v.job_id = $1 ORDER BY r.ordinal, v.created_at`,
    [jobId],
  );
  return rows.map((row) => JSON.parse(row.body) as Verdict);
}
