import { type Queryable } from '../database.js';

/** How many entries nobody has taken yet, and the age of the oldest; 0 without any. */
export async function outboxBacklog(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await db.query<{ count: number; oldestSeconds: number | null }>(
    `SELECT count(*)::int AS count, extract(epoch FROM now() - min(created_at))::float8 AS "oldestSeconds"
       FROM outbox WHERE published_at IS NULL`,
  );
  return { count: row?.count ?? 0, oldestSeconds: row?.oldestSeconds ?? 0 };
}
