import { type Queryable } from '../database.js';

/**
 * Tells the planner how large the bulk tables have become. After a job that made many rows in less than autovacuum's minute it still plans
 * for the few that there were, and sorts what is left of a run for each page of it. Samples a bounded number of rows.
 */
export async function refreshStatistics(db: Queryable): Promise<void> {
  await db.query(`ANALYZE outcomes, traces, scores`);
}
