// Writes prisma/migrations/<time>_<name>/migration.sql with what separates the migrated database from schema.prisma.
// usage: DATABASE_URL=postgres://… (an empty scratch database) node tools/new-migration.mjs <name>
import { mkdir, writeFile } from 'node:fs/promises';
import { migrate, schemaDrift } from '../libs/database/dist/index.js';

const [name] = process.argv.slice(2);
const url = process.env.DATABASE_URL;
if (!url || !/^[a-z0-9_]+$/.test(name ?? '')) {
  console.error('usage: DATABASE_URL=<empty scratch database> node tools/new-migration.mjs <snake_case_name>');
  process.exit(2);
}
await migrate(url);
const { toSchema } = await schemaDrift(url);
if (toSchema === null) {
  console.log('schema.prisma and the migrations agree: nothing to write');
  process.exit(0);
}
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const folder = new URL(`../prisma/migrations/${stamp}_${name}/`, import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('migration.sql', folder), toSchema);
await writeFile(new URL('../migration_lock.toml', folder), 'provider = "postgresql"\n');
console.log(`wrote ${folder.pathname}`);
process.exit(0);
