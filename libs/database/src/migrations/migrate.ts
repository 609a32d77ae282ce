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
  // Its session may end while the engine works; what the engine does then fails or stands by itself.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const files = await readMigrations();
    const applied = await appliedMigrations((sql) => client.query(sql));
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
export async function isMigrated(query: RunQuery): Promise<boolean> {
  const applied = await appliedMigrations(query);
  return (await readMigrations()).every((file) => applied.has(file.name));
}

type RunQuery = (sql: string) => Promise<{ rows: { name: string }[] }>;

async function appliedMigrations(query: RunQuery): Promise<Set<string>> {
  const { rows: tables } = await query(`SELECT to_regclass('_prisma_migrations')::text AS name`);
  if (tables[0]?.name == null) return new Set();
  const { rows } = await query('SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL');
  return new Set(rows.map((row) => row.name));
}
