import { type OutboxTopic } from './topic.js';
import { type Queryable } from '../database.js';

/** The channel on which the scheduler is woken; the row itself is the message. */
export const WAKE_CHANNEL = 'kiln_outbox';

/** Writes a fact to the outbox, in the transaction that makes it true, and wakes the scheduler at commit. */
export async function post(tx: Queryable, topic: OutboxTopic, jobId: string): Promise<void> {
  await tx.query(`WITH row AS (INSERT INTO outbox (topic, job_id) VALUES ($1, $2)) SELECT pg_notify($3, '')`, [topic, jobId, WAKE_CHANNEL]);
}
