import { type OutcomeKind } from '@kiln/contracts';
import { plainArray } from '../column-array.js';
import { type Queryable } from '../database.js';

/** The reduced outcome of one example under the run's primary scorer. */
export interface ReducedRow {
  ordinal: number;
  kind: OutcomeKind;
  score: number;
  representative: number;
  numPass: number;
  numFail: number;
  numInvalid: number;
  numError: number;
  numSkipped: number;
}

/** In place of a scorer's number: the run's primary scorer, whichever that is for each example. */
export const PRIMARY_SCORER = 0;

/** Writes reduced outcomes; those that are there already are left alone, so that finalizing again changes nothing. */
export async function insertReduced(db: Queryable, projectId: string, runId: string, rows: readonly ReducedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `INSERT INTO reduced_outcomes (run_id, scorer_id, project_id, ordinal, kind, score, representative, num_pass, num_fail,
                                   num_invalid, num_error, num_skipped)
     SELECT $1, ${PRIMARY_SCORER}, $2, r.* FROM unnest($3::int[], $4::outcome_kind[], $5::float8[], $6::int[], $7::int[],
                                                       $8::int[], $9::int[], $10::int[], $11::int[]) AS r
     ON CONFLICT (run_id, scorer_id, ordinal) DO NOTHING`,
    [
      runId,
      projectId,
      plainArray(rows.map((row) => row.ordinal)),
      plainArray(rows.map((row) => row.kind)),
      plainArray(rows.map((row) => row.score)),
      plainArray(rows.map((row) => row.representative)),
      plainArray(rows.map((row) => row.numPass)),
      plainArray(rows.map((row) => row.numFail)),
      plainArray(rows.map((row) => row.numInvalid)),
      plainArray(rows.map((row) => row.numError)),
      plainArray(rows.map((row) => row.numSkipped)),
    ],
  );
}
