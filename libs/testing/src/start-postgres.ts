import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { type LocalPostgres, startLocalPostgres } from '@kiln/local-postgres';
import { guardProcess, scratchFolder } from './process-guard.js';

export interface PostgresOptions {
  /** Off by default, which loses data on a power cut but not on a crash of the server. Benchmarks turn it on. */
  fsync?: boolean;
  /** Default 200. */
  maxConnections?: number;
}

export type StopMode = 'fast' | 'immediate' | 'crash';

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
  const server = new TestPostgres(scratchFolder('postgres'), {
    max_connections: String(maxConnections),
    shared_buffers: '64MB',
    log_min_messages: 'fatal',
    // synchronous_commit stays on: without it a crash of the server alone would lose commits that tests rely on.
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  });
  await server.start();
  return server;
}

export class TestPostgres {
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  readonly #password = randomBytes(12).toString('hex');
  readonly #templates = new Map<Migrate, Promise<string>>();
  #server: LocalPostgres | null = null;
  #port: number | undefined;
  #databases = 0;

  constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder;
    this.#settings = settings;
  }

  get port(): number {
    if (this.#port === undefined) throw new Error('Postgres was never started');
    return this.#port;
  }

  /** The process id of the running server; throws while it is stopped. */
  get pid(): number {
    if (this.#server === null) throw new Error('Postgres is stopped');
    return this.#server.pid;
  }

  /** The URL of one of its databases, which need not exist; as superuser. Valid over restarts. */
  url(database = 'postgres'): string {
    return `postgres://kiln:${this.#password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts a stopped server on the port it had before, so that URLs stay valid. */
  async start(): Promise<void> {
    if (this.#server !== null) return;
    const server = await startLocalPostgres({
      dataDir: join(this.#folder, 'data'),
      relocationRoot: join(this.#folder, 'relocated'),
      password: this.#password,
      settings: this.#settings,
      sync: false,
      ...(this.#port === undefined ? {} : { port: this.#port }),
    });
    guardProcess(server.pid, server.exited);
    this.#server = server;
    this.#port = server.port;
  }

  /** `fast` ends sessions and checkpoints; `immediate` and `crash` leave recovery to the next start. */
  async stop(mode: StopMode = 'fast'): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    if (mode === 'fast') return server.stop();
    process.kill(server.pid, mode === 'immediate' ? 'SIGQUIT' : 'SIGKILL');
    await server.exited;
  }

  async restart(mode: StopMode = 'fast'): Promise<void> {
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
