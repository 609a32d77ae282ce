import { type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { PRIMARY_SCORER } from '../outcomes/insert-reduced.js';

/** Ordinals of the examples whose reduced outcome is of one of `kinds` in any run of a job, in order. */
export async function ordinalsByOutcome(db: Queryable, jobId: string, kinds: readonly OutcomeKind[]): Promise<number[]> {
  const rows = await db.query<{ ordinal: number }>(
    `SELECT DISTINCT d.ordinal FROM runs r JOIN reduced_outcomes d ON d.run_id = r.id AND d.scorer_id = ${PRIMARY_SCORER}
      WHERE r.job_id = $1 AND d.kind::text = ANY ($2) ORDER BY d.ordinal`,
    [jobId, kinds],
  );
  return rows.map(({ ordinal }) => ordinal);
}

/** Ordinals of the examples that a job with a selection evaluates, in order. */
export async function selectedOrdinals(db: Queryable, jobId: string): Promise<number[]> {
  const rows = await db.query<{ ordinal: number }>(`SELECT ordinal FROM job_selection WHERE job_id = $1 ORDER BY ordinal`, [jobId]);
  return rows.map(({ ordinal }) => ordinal);
}
