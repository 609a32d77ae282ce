import { readDatamodel } from './migration-files.js';
import { NO_FILTERS, openSchemaEngine } from './schema-engine.js';

/**
 * What separates a database from schema.prisma, as SQL scripts.
 *
 * @param url a migrated database
 * @returns `toSchema` turns the database into the schema, `toDatabase` the reverse; both are null when they are equal
 */
export async function schemaDrift(url: string): Promise<{ toSchema: string | null; toDatabase: string | null }> {
  const datamodel = await readDatamodel();
  // The engine reads the datasource from the adapter that it was opened with, not from the files.
  const database = { tag: 'schemaDatasource' as const, files: [{ path: 'schema.prisma', content: datamodel }], configDir: '.' };
  const schema = { tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content: datamodel }] };
  const toSchema = await diff(url, datamodel, database, schema);
  const toDatabase = await diff(url, datamodel, schema, database);
  return { toSchema, toDatabase };
}

async function diff(url: string, datamodel: string, from: object, to: object): Promise<string | null> {
  const { engine, close } = await openSchemaEngine(url, datamodel);
  try {
    const result = await engine.diff({
      from,
      to,
      script: true,
      exitCode: true,
      shadowDatabaseUrl: null,
      filters: NO_FILTERS,
    } as Parameters<typeof engine.diff>[0]);
    return result.exitCode === 0 ? null : result.stdout;
  } finally {
    await close();
  }
}
