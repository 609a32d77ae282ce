import pg from 'pg';
import type { LocalPostgres } from './start-local-postgres.js';

/** Creates a database unless it exists. @param name  lower-case letters, digits and underscores */
export async function createDatabase(server: Pick<LocalPostgres, 'url'>, name: string): Promise<void> {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new RangeError(`not a database name: ${name}`);
  const client = new pg.Client({ connectionString: server.url('postgres'), connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}
