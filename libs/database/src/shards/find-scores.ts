import { type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** A score that a trace has already. */
export interface StoredScore {
  traceId: string;
  scorerId: number;
  kind: OutcomeKind;
  value: number;
}

/** The scores that these traces have by these scorers: what a rescore need not do again. */
export function findScores(db: Queryable, traceIds: readonly string[], scorerIds: readonly number[]): Promise<StoredScore[]> {
  return db.query<StoredScore>(
    `SELECT trace_id AS "traceId", scorer_id AS "scorerId", kind::text, value FROM scores
      WHERE trace_id = ANY ($1::uuid[]) AND scorer_id = ANY ($2::int[])`,
    [traceIds, scorerIds],
  );
}
