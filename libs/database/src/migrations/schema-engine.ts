import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { charAwareAdapter, CharMarkingClient } from './char-aware-adapter.js';

/** Part of Node, but only TypeScript's DOM library describes it. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: unknown): Promise<{ instance: { exports: unknown } }>;
};

const ENGINE = '@prisma/schema-engine-wasm/schema_engine_bg';
export const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** One use of the engine: `engine` until `close` is called. */
export interface OpenEngine {
  engine: bindings.SchemaEngine;
  close(): Promise<void>;
}

/**
 * Prisma's schema engine as WebAssembly, so that migrations are real Prisma migrations on machines that cannot download the
 * native engine. `prisma migrate deploy` accepts the same folder.
 *
 * @param url database to work on
 * @param datamodel text of schema.prisma
 */
export async function openSchemaEngine(url: string, datamodel: string): Promise<OpenEngine> {
  await instantiate();
  const pool = new pg.Pool({ connectionString: url, max: 2, Client: CharMarkingClient });
  const factory = bindMigrationAwareSqlAdapterFactory(charAwareAdapter(pool));
  const engine = await bindings.SchemaEngine.new({ datamodels: [['schema.prisma', datamodel]] }, () => undefined, factory);
  return {
    engine,
    async close() {
      engine.free();
      await pool.end();
    },
  };
}

let instantiated: Promise<void> | undefined;

/** Once per process: the module keeps one WebAssembly instance. */
function instantiate(): Promise<void> {
  instantiated ??= (async () => {
    const folder = dirname(createRequire(import.meta.url).resolve(ENGINE));
    const wasm = await readFile(join(folder, 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
    const exports = instance.exports as { __wbindgen_start?: () => void };
    (bindings as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(exports);
    exports.__wbindgen_start?.();
  })();
  return instantiated;
}
