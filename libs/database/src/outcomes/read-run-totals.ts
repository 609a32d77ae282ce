import { type Queryable } from '../database.js';

export interface RunTotals {
  latencyMs: { mean: number; p50: number; p90: number; p99: number; max: number };
  /** Sum over the samples whose price is known, US dollars as a decimal string. */
  knownCostUsd: string;
  pricedSamples: number;
  /** Outcomes without a trace: errors before anything was generated. */
  untracedSamples: number;
}

/**
 * What the database sums better than a stream: latency quantiles (value at index round(q·(n−1)) of the sorted values) and money.
 * An outcome without a trace has no latency and no price.
 */
export async function readRunTotals(db: Queryable, runId: string): Promise<RunTotals> {
  const [row] = await db.query<
    Record<'mean' | 'p50' | 'p90' | 'p99' | 'max', number | null> & { cost: string; priced: number; untraced: number }
  >(
    `WITH ranked AS (
       SELECT t.latency_ms AS v, t.cost, row_number() OVER (ORDER BY t.latency_ms) - 1 AS i, count(*) OVER () - 1 AS last
         FROM outcomes o JOIN traces t ON t.id = o.trace_id WHERE o.run_id = $1)
     SELECT avg(v) AS mean, max(v) FILTER (WHERE i = floor(0.5 * last + 0.5)) AS p50,
            max(v) FILTER (WHERE i = floor(0.9 * last + 0.5)) AS p90, max(v) FILTER (WHERE i = floor(0.99 * last + 0.5)) AS p99,
            max(v) AS max, trim_scale(coalesce(sum(cost), 0))::text AS cost, count(cost)::int AS priced,
            (SELECT count(*)::int FROM outcomes WHERE run_id = $1 AND trace_id IS NULL) AS untraced
       FROM ranked`,
    [runId],
  );
  const of = (value: number | null | undefined): number => value ?? 0;
  return {
    latencyMs: { mean: of(row?.mean), p50: of(row?.p50), p90: of(row?.p90), p99: of(row?.p99), max: of(row?.max) },
    knownCostUsd: row?.cost ?? '0',
    pricedSamples: row?.priced ?? 0,
    untracedSamples: row?.untraced ?? 0,
  };
}
