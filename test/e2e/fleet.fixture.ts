import { createApiKey, type Database, DEFAULT_PROJECT_ID, migrate, openDatabase } from '@kiln/database';
import { freePort } from '@kiln/local-postgres';
import { migrateQueue } from '@kiln/queue';
import { startPostgres, startRedis, type TestPostgres, type TestRedis } from '@kiln/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ApiClient } from './api-client.fixture.js';
import { ServiceProcess } from './service-process.fixture.js';
import { installShardHistory } from './shard-history.fixture.js';
import { StubEndpoint } from './stub-endpoint.fixture.js';

const START_MS = 90_000;

export interface FleetOptions {
  backend?: 'redis' | 'postgres';
  workers?: number;
  schedulers?: number;
  /** Shards that a worker holds at a time; default 2. */
  slots?: number;
  /** Default 3,000 ms; short, so that recovery is quick. */
  leaseTtlMs?: number;
  /** More settings for every process. */
  env?: Readonly<Record<string, string>>;
}

/**
 * A fleet of real processes on real servers, for the tests of one `describe`: started before them, stopped after them, and its
 * logs printed when one of them fails. Its database is its own; Postgres is shared by the test run.
 */
export function useFleet(options: FleetOptions = {}): Fleet {
  const fleet = new Fleet(options);
  beforeAll(() => fleet.start(), START_MS);
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') fleet.printLogs();
  });
  afterAll(() => fleet.stop(), START_MS);
  return fleet;
}

export class Fleet {
  readonly stub = new StubEndpoint();
  readonly workers: ServiceProcess[] = [];
  readonly schedulers: ServiceProcess[] = [];
  #api: ServiceProcess | undefined;
  #client: ApiClient | undefined;
  #db: Database | undefined;
  #postgres: TestPostgres | undefined;
  #redis: TestRedis | undefined;
  #env: Readonly<Record<string, string>> = {};

  constructor(private readonly options: FleetOptions) {}

  get api(): ServiceProcess {
    return started(this.#api);
  }

  get client(): ApiClient {
    return started(this.#client);
  }

  /** The test's own connection to the fleet's database. */
  get db(): Database {
    return started(this.#db);
  }

  get postgres(): TestPostgres {
    return started(this.#postgres);
  }

  get redis(): TestRedis {
    return started(this.#redis);
  }

  get worker(): ServiceProcess {
    return started(this.workers[0]);
  }

  get scheduler(): ServiceProcess {
    return started(this.schedulers[0]);
  }

  async start(): Promise<void> {
    const { backend = 'redis', workers = 1, schedulers = 1, slots = 2, leaseTtlMs = 3_000, env = {} } = this.options;
    this.#postgres = await startPostgres();
    const databaseUrl = await this.#postgres.createDatabase(backend === 'postgres' ? migrateWithQueue : undefined);
    this.#db = openDatabase(databaseUrl, { max: 4, applicationName: 'e2e', onIdleError: () => undefined });
    await installShardHistory(this.#db);
    if (backend === 'redis') this.#redis = await startRedis();
    await this.stub.start();
    const port = await freePort();
    this.#env = {
      KILN_DATABASE_URL: databaseUrl,
      KILN_REDIS_URL: this.#redis?.url ?? '',
      KILN_HOST: '127.0.0.1',
      KILN_PORT: String(port),
      KILN_MODEL_DIR: 'models',
      KILN_LEASE_TTL_MS: String(leaseTtlMs),
      KILN_LEASE_HEARTBEAT_MS: String(Math.min(500, leaseTtlMs / 2)),
      KILN_WORKER_SLOTS: String(slots),
      KILN_WORKER_THREADS: '1',
      KILN_LOG_LEVEL: 'debug',
      ...env,
    };
    this.#api = new ServiceProcess('api', 'api', this.#env);
    for (let at = 0; at < schedulers; at += 1) this.schedulers.push(new ServiceProcess('scheduler', `scheduler ${at}`, this.#env));
    for (let at = 0; at < workers; at += 1) this.workers.push(new ServiceProcess('worker', `worker ${at}`, this.#env));
    await Promise.all(this.#services.map((service) => service.start()));
    const actor = { actor: 'e2e', source: 'test' };
    const scopes = ['eval:read', 'eval:write', 'eval:run', 'ops'] as const;
    const { token } = await createApiKey(this.#db, { projectId: DEFAULT_PROJECT_ID, name: 'e2e', scopes, expiresAt: null }, actor);
    this.#client = new ApiClient(`http://127.0.0.1:${port}`, token);
  }

  /** Its URL, through another port when one is given (that of a proxy). */
  databaseUrl(port?: number): string {
    const url = new URL(started(this.#env['KILN_DATABASE_URL']));
    if (port !== undefined) url.port = String(port);
    return url.href;
  }

  /** Starts one more worker. */
  async addWorker(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const worker = new ServiceProcess('worker', `worker ${this.workers.length}`, { ...this.#env, ...env });
    this.workers.push(worker);
    await worker.start();
    return worker;
  }

  /** Stops everything in order; every process that still runs must end by itself and cleanly. */
  async stop(): Promise<void> {
    this.stub.release();
    const running = this.#services.filter((service) => service.isRunning);
    const codes = await Promise.all(running.map((service) => service.stop()));
    await this.stub.stop();
    await this.#db?.close();
    await this.#redis?.stop();
    const unclean = running.filter((_, at) => codes[at] !== 0);
    if (unclean.length === 0) return;
    this.printLogs();
    throw new Error(`did not stop cleanly: ${unclean.map((service) => service.label).join(', ')}`);
  }

  printLogs(): void {
    for (const service of this.#services) process.stderr.write(`\n===== ${service.label} =====\n${service.log.slice(-20_000)}\n`);
  }

  get #services(): ServiceProcess[] {
    return [...(this.#api ? [this.#api] : []), ...this.schedulers, ...this.workers];
  }
}

async function migrateWithQueue(url: string): Promise<void> {
  await migrate(url);
  await migrateQueue(url);
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the fleet was not started');
  return part;
}
