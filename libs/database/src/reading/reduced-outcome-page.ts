import { type JsonObject, type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { PRIMARY_SCORER, type ReducedRow } from '../outcomes/insert-reduced.js';
import { exampleLookup } from '../suites/example-lookup.js';

/** The one record of an example in a run, with what results repeat of the example. */
export interface ReducedOutcomeRow extends ReducedRow {
  exampleKey: string;
  tags: string[];
  metadata: JsonObject | null;
}

export interface ReducedOutcomePage {
  runId: string;
  suiteVersionId: string;
  kinds: readonly OutcomeKind[] | null;
  afterOrdinal: number | null;
  limit: number;
}

/** A run's reduced outcomes by its primary scorer, in suite order, at most `limit`. */
export function readReducedOutcomePage(db: Queryable, page: ReducedOutcomePage): Promise<ReducedOutcomeRow[]> {
  return db.query<ReducedOutcomeRow>(
    `SELECT r.ordinal, e.example_key AS "exampleKey", r.kind::text, r.score, r.representative, r.num_pass AS "numPass",
            r.num_fail AS "numFail", r.num_invalid AS "numInvalid", r.num_error AS "numError", r.num_skipped AS "numSkipped",
            e.tags, e.metadata
       FROM (SELECT * FROM reduced_outcomes
              WHERE run_id = $1 AND scorer_id = ${PRIMARY_SCORER} AND ($3::text[] IS NULL OR kind::text = ANY ($3))
                AND ordinal > $4
              ORDER BY ordinal LIMIT $5) r
       ${exampleLookup('r', '$2')}
      ORDER BY r.ordinal`,
    [page.runId, page.suiteVersionId, page.kinds, page.afterOrdinal ?? -1, page.limit],
  );
}
