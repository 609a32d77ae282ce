import { type Queryable } from '../database.js';
import { UNFINISHED_STATES } from './unfinished-states.js';

/** Sums over the budgets of unfinished jobs; money in US dollars, as an approximation for a gauge. */
export interface LiveBudgets {
  usd: BudgetSums;
  tokens: BudgetSums;
}

export interface BudgetSums {
  cap: number;
  reserved: number;
  spent: number;
}

export async function liveBudgets(db: Queryable): Promise<LiveBudgets> {
  const [row] = await db.query<Record<'usdCap' | 'usdReserved' | 'usdSpent' | 'tokenCap' | 'tokensReserved' | 'tokensSpent', number>>(
    `SELECT coalesce(sum(b.cost_cap), 0)::float8 AS "usdCap", coalesce(sum(b.cost_reserved), 0)::float8 AS "usdReserved",
            coalesce(sum(b.cost_spent), 0)::float8 AS "usdSpent", coalesce(sum(b.token_cap), 0)::float8 AS "tokenCap",
            coalesce(sum(b.tokens_reserved), 0)::float8 AS "tokensReserved",
            coalesce(sum(b.tokens_spent), 0)::float8 AS "tokensSpent"
       FROM budgets b JOIN jobs j ON j.id = b.job_id WHERE j.state IN ${UNFINISHED_STATES}`,
  );
  return {
    usd: { cap: row!.usdCap, reserved: row!.usdReserved, spent: row!.usdSpent },
    tokens: { cap: row!.tokenCap, reserved: row!.tokensReserved, spent: row!.tokensSpent },
  };
}
