import { type Queryable } from '../database.js';
import { type OutboxTopic } from './topic.js';

export interface OutboxEntry {
  id: string;
  topic: OutboxTopic;
  jobId: string;
}

/**
 * Takes up to `limit` unpublished entries and marks them. By state, never by a cursor over ids: an id that commits late would
 * be skipped. Handlers only wake loops that look at the record themselves, so an entry that is lost after this costs a tick.
 */
export async function takeOutbox(db: Queryable, limit: number): Promise<OutboxEntry[]> {
  return db.query<OutboxEntry>(
    `UPDATE outbox SET published_at = now()
      WHERE id IN (SELECT id FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING id, topic, job_id AS "jobId"`,
    [limit],
  );
}

/** Removes entries that were published more than `days` ago. */
export async function pruneOutbox(db: Queryable, days: number): Promise<void> {
  await db.query(`DELETE FROM outbox WHERE published_at < now() - make_interval(days => $1)`, [days]);
}
