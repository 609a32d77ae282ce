import pg from 'pg';
import { migrationsList, readDatamodel, readMigrations } from './migration-files.js';
import { NO_FILTERS, openSchemaEngine } from './schema-engine.js';

/** Any constant will do, as long as nothing else locks it: "kiln" in ASCII. */
const MIGRATION_LOCK = 0x6b696c6e;

/**
 * Brings a database to the newest schema. Several processes may call it at once: a session lock lets one work while the others
 * wait, and whoever comes late finds nothing to do (one query, no schema engine).
 *
 * @param url Postgres connection string
 * @returns names of the migrations that this call applied, in order
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const files = await readMigrations();
    const applied = await appliedMigrations(client);
    if (files.every((file) => applied.has(file.name))) return [];
    const { engine, close } = await openSchemaEngine(url, await readDatamodel());
    try {
      const result = await engine.applyMigrations({ migrationsList: migrationsList(files), filters: NO_FILTERS });
      return result.appliedMigrationNames;
    } finally {
      await close();
    }
  } finally {
    await client.end();
  }
}

/** True when nothing is left to apply: what readiness asks. */
export async function isMigrated(query: (sql: string) => Promise<{ rows: { name: string }[] }>): Promise<boolean> {
  const { rows } = await query('SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL');
  const applied = new Set(rows.map((row) => row.name));
  return (await readMigrations()).every((file) => applied.has(file.name));
}

async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  const exists = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  if (!exists.rows[0]?.exists) return new Set();
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  );
  return new Set(rows.map((row) => row.name));
}
