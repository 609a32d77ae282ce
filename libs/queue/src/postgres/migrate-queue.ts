import { DEFAULT_SCHEMA, runMigrations } from 'bullmq';
import pg from 'pg';

/** BullMQ fixes the name when it is given a pool. */
export const QUEUE_SCHEMA = DEFAULT_SCHEMA;

/**
 * Brings the queue's own schema (`bullmq`) in this database to the version of the installed BullMQ. Several processes may call
 * it at once (it holds an advisory lock). Run it on every upgrade and before the first start on the Postgres backend; processes
 * never do it by themselves, since old and new ones share the schema.
 */
export async function migrateQueue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'kiln queue migration' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await runMigrations(client, QUEUE_SCHEMA);
  } finally {
    await client.end();
  }
}
