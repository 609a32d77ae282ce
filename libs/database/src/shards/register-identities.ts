import { type Queryable } from '../database.js';

/** The number of a scorer, by its identity; the row is made when it is new. */
export async function registerScorer(db: Queryable, scorer: { identity: string; kind: string; config: unknown }): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `WITH made AS (INSERT INTO scorers (identity, kind, config) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id)
     SELECT id FROM made UNION ALL SELECT id FROM scorers WHERE identity = $1 LIMIT 1`,
    [scorer.identity, scorer.kind, JSON.stringify(scorer.config)],
  );
  // Another process made it between our insert and our look: it is there now.
  return row?.id ?? registerScorer(db, scorer);
}

/** The number of an execution provenance, by its digest; the row is made when it is new. */
export async function registerProvenance(db: Queryable, provenance: { digest: string; body: unknown }): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `WITH made AS (INSERT INTO execution_provenances (digest, body) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id)
     SELECT id FROM made UNION ALL SELECT id FROM execution_provenances WHERE digest = $1 LIMIT 1`,
    [provenance.digest, JSON.stringify(provenance.body)],
  );
  return row?.id ?? registerProvenance(db, provenance);
}
