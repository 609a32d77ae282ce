import { type Scorer } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** What these numbers of execution provenances stand for. */
export async function readProvenances(db: Queryable, ids: readonly number[]): Promise<Map<number, unknown>> {
  const rows = await db.query<{ id: number; body: unknown }>(`SELECT id, body FROM execution_provenances WHERE id = ANY ($1::int[])`, [
    ids,
  ]);
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** A scorer with its configuration, as it was registered. */
export interface RegisteredIdentity {
  identity: string;
  config: Scorer;
}

/** What these numbers of scorers stand for. */
export async function readScorers(db: Queryable, ids: readonly number[]): Promise<Map<number, RegisteredIdentity>> {
  const rows = await db.query<RegisteredIdentity & { id: number }>(`SELECT id, identity, config FROM scorers WHERE id = ANY ($1::int[])`, [
    ids,
  ]);
  return new Map(rows.map(({ id, identity, config }) => [id, { identity, config }]));
}
