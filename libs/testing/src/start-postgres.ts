import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.js';
import { scratchFolder } from './process-guard.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

export interface PostgresOptions {
  /** Off by default, which loses data on a power cut but not on a crash of the server. Benchmarks turn it on. */
  fsync?: boolean;
  /** Default 200. */
  maxConnections?: number;
}

/** Brings an empty database to the current schema and closes every connection it opened. */
export type Migrate = (url: string) => Promise<unknown>;

const SERVERS = Symbol.for('kiln.testing.postgres');

/**
 * A real Postgres of this test process: the first call starts it (about a second), later calls with the same options return
 * the same one. It ends with the process; `stop` is only needed to see the database down.
 */
export function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const slots = globalThis as { [SERVERS]?: Map<string, Promise<TestPostgres>> };
  const servers = (slots[SERVERS] ??= new Map());
  const { fsync = false, maxConnections = 200 } = options;
  const key = `${fsync} ${maxConnections}`;
  let server = servers.get(key);
  if (server === undefined) {
    server = createServer(fsync, maxConnections);
    servers.set(key, server);
    server.catch(() => servers.delete(key));
  }
  return server;
}

async function createServer(fsync: boolean, maxConnections: number): Promise<TestPostgres> {
  const programs = findPostgresPrograms();
  const folder = scratchFolder('postgres');
  const dataFolder = join(folder, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  mkdirSync(dataFolder, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (programs.runAs !== null) {
    for (const path of [folder, dataFolder, passwordFile]) chownSync(path, programs.runAs.uid, programs.runAs.gid);
  }
  await promisify(execFile)(
    programs.initdb,
    [
      '-D',
      dataFolder,
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale=C',
      '--auth=password',
      `--pwfile=${passwordFile}`,
      '--no-sync',
      '--no-instructions',
    ],
    { ...programs.runAs, cwd: '/', env: { ...process.env, LC_ALL: 'C' } },
  );
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    shared_buffers: '64MB',
    log_min_messages: 'log',
    // synchronous_commit stays on: without it a crash of the server alone would lose commits that tests rely on.
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const server = new TestPostgres(programs, dataFolder, password, settings);
  await server.start();
  return server;
}

export class TestPostgres {
  readonly #programs: PostgresPrograms;
  readonly #dataFolder: string;
  readonly #password: string;
  readonly #settings: Record<string, string>;
  readonly #templates = new Map<Migrate, Promise<string>>();
  #process: ServerProcess | null = null;
  #port = 0;
  #databases = 0;

  constructor(programs: PostgresPrograms, dataFolder: string, password: string, settings: Record<string, string>) {
    this.#programs = programs;
    this.#dataFolder = dataFolder;
    this.#password = password;
    this.#settings = settings;
  }

  get port(): number {
    return this.#port;
  }

  /** The process id of the running server; throws while it is stopped. */
  get pid(): number {
    if (this.#process === null) throw new Error('Postgres is stopped');
    return this.#process.pid;
  }

  url(database = 'postgres'): string {
    return `postgres://postgres:${this.#password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Starts a stopped server on the port it had before, so that URLs stay valid. */
  async start(): Promise<void> {
    if (this.#process !== null && !this.#process.hasEnded) return;
    for (let attempt = 1; ; attempt += 1) {
      const port = this.#port === 0 ? await freePort() : this.#port;
      try {
        this.#process = await startServerProcess({
          file: this.#programs.postgres,
          args: [
            '-D',
            this.#dataFolder,
            '-p',
            String(port),
            ...Object.entries(this.#settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
          ],
          env: { LC_ALL: 'C' },
          cwd: '/',
          ...this.#programs.runAs,
          readyText: 'database system is ready to accept connections',
        });
        this.#port = port;
        return;
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
  }

  /** `fast` ends sessions and checkpoints; `immediate` and `crash` leave recovery to the next start. */
  async stop(mode: 'fast' | 'immediate' | 'crash' = 'fast'): Promise<void> {
    await this.#process?.end(({ fast: 'SIGINT', immediate: 'SIGQUIT', crash: 'SIGKILL' } as const)[mode]);
    this.#process = null;
  }

  async restart(mode: 'fast' | 'immediate' | 'crash' = 'fast'): Promise<void> {
    await this.stop(mode);
    await this.start();
  }

  /** An empty database; its URL. */
  async createEmptyDatabase(): Promise<string> {
    const name = this.#nextName();
    await this.query(`CREATE DATABASE ${name} TEMPLATE template0 ${this.#cloning}`);
    return this.url(name);
  }

  /** A migrated database, cloned from a template that is migrated once per test process (about 25 ms on an idle machine); its URL. */
  async createDatabase(migrate: Migrate = migrateKiln): Promise<string> {
    let template = this.#templates.get(migrate);
    if (template === undefined) {
      template = this.#createTemplate(migrate);
      this.#templates.set(migrate, template);
    }
    const name = this.#nextName();
    await this.query(`CREATE DATABASE ${name} TEMPLATE ${await template} ${this.#cloning}`);
    return this.url(name);
  }

  /** Ends the sessions of a database that one of the create functions made, and removes it. */
  async dropDatabase(url: string): Promise<void> {
    await this.query(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  }

  /** One statement on the server's own database, in its own session, as superuser. */
  async query<Row extends pg.QueryResultRow = pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url() });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Copying files costs two checkpoints instead of logging every page: a fraction of the time when nothing is flushed to disk. */
  get #cloning(): string {
    return this.#settings['fsync'] === 'off' ? 'STRATEGY FILE_COPY' : 'STRATEGY WAL_LOG';
  }

  async #createTemplate(migrate: Migrate): Promise<string> {
    const url = await this.createEmptyDatabase();
    await migrate(url);
    const name = new URL(url).pathname.slice(1);
    // CREATE DATABASE … TEMPLATE fails while anyone is connected to the template: shut the door.
    await this.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    return name;
  }

  #nextName(): string {
    this.#databases += 1;
    return `kiln_${this.#databases}`;
  }
}

/** Imported on first use: tests that need only an empty database do not load the schema engine. */
async function migrateKiln(url: string): Promise<void> {
  const { migrate } = await import('@kiln/database');
  await migrate(url);
}
