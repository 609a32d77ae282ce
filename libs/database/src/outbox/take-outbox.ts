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
    `WITH next AS MATERIALIZED (
       SELECT id FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE outbox o SET published_at = now() FROM next WHERE o.id = next.id
      RETURNING o.id, o.topic, o.job_id AS "jobId"`,
    [limit],
  );
}

/** Removes entries that were published more than `days` ago. */
export async function pruneOutbox(db: Queryable, days: number): Promise<void> {
  await db.query(`DELETE FROM outbox WHERE published_at < now() - make_interval(days => $1)`, [days]);
}
