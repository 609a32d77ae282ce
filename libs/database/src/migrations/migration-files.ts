import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** `prisma/` at the root of the repository; the same distance from src and from dist. */
const PRISMA_FOLDER = fileURLToPath(new URL('../../../../prisma/', import.meta.url));
const LOCK_FILE = 'provider = "postgresql"\n';

export interface MigrationFile {
  name: string;
  sql: string;
}

export function readDatamodel(): Promise<string> {
  return readFile(`${PRISMA_FOLDER}schema.prisma`, 'utf8');
}

/** All migrations in the order in which they apply. */
export async function readMigrations(): Promise<MigrationFile[]> {
  const entries = await readdir(`${PRISMA_FOLDER}migrations`, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(`${PRISMA_FOLDER}migrations/${name}/migration.sql`, 'utf8'),
    })),
  );
}

/** The shape in which the schema engine wants them. */
export function migrationsList(files: MigrationFile[]) {
  return {
    baseDir: 'migrations',
    lockfile: { path: 'migration_lock.toml', content: LOCK_FILE },
    shadowDbInitScript: '',
    migrationDirectories: files.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
}
