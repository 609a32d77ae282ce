import { Config, type ConfigInput, type ErrorBody, parseWith, type Scope } from '@kiln/contracts';
import { createApiKey, type Database, DEFAULT_PROJECT_ID, openDatabase, publishModels, registerWorker } from '@kiln/database';
import { createLogger, createMetrics } from '@kiln/observability';
import { queueName } from '@kiln/running';
import { startPostgres } from '@kiln/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import { ApiKeyVerifier } from './auth/api-key-verifier.js';
import { checkAnswer } from './check-answer.fixture.js';
import { createAdapter } from './create-adapter.js';
import { createApp } from './create-app.js';

const ALL_SCOPES: Scope[] = ['eval:read', 'eval:write', 'eval:run', 'ops', 'serve'];

export interface Sent {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'HEAD';
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown;
  type?: string;
  headers?: Record<string, string>;
  /** null: no key. */
  key?: string | null;
}

export interface Answer<Body> {
  status: number;
  body: Body & Partial<ErrorBody>;
  text: string;
  headers: Record<string, unknown>;
}

/** The API on a database of its own, with one worker's publications and a key for everything. */
export class TestApi {
  constructor(
    readonly app: NestFastifyApplication,
    readonly database: Database,
    readonly databaseUrl: string,
    readonly key: string,
    readonly logLines: string[],
    private readonly closeRest: () => Promise<void>,
  ) {}

  /** Sends a request; fails when the answer is not what the catalogue says of the route. */
  async send<Body = Record<string, unknown>>(url: string, sent: Sent = {}): Promise<Answer<Body>> {
    const raw = typeof sent.body === 'string' || Buffer.isBuffer(sent.body);
    const type = sent.type ?? (sent.body === undefined ? undefined : 'application/json');
    const key = sent.key === undefined ? this.key : sent.key;
    const method = sent.method ?? (sent.body === undefined ? 'GET' : 'POST');
    const response = await this.app.inject({
      method,
      url,
      headers: { ...(type ? { 'content-type': type } : {}), ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...sent.headers },
      ...(sent.body === undefined ? {} : { payload: raw ? (sent.body as string) : JSON.stringify(sent.body) }),
    });
    const json = /^application\/json(;|$)/.test(String(response.headers['content-type']));
    const body = json ? response.json() : undefined;
    checkAnswer(method, url, response.statusCode, body);
    return { status: response.statusCode, body: body ?? {}, text: response.body, headers: response.headers };
  }

  /** Rows of every table that an API call could write, so that a test can see that nothing was stored. */
  async rowCounts(): Promise<Record<string, number>> {
    const tables = [
      'suites',
      'suite_versions',
      'suite_version_examples',
      'examples',
      'jobs',
      'runs',
      'shards',
      'budgets',
      'targets',
      'outbox',
      'idempotency_keys',
      'api_keys',
      'audit_log',
    ];
    const counts = await this.database.query<{ name: string; count: number }>(
      tables.map((table) => `SELECT '${table}' AS name, count(*)::int AS count FROM ${table}`).join(' UNION ALL '),
    );
    return Object.fromEntries(counts.map(({ name, count }) => [name, count]));
  }

  async makeKey(scopes: Scope[], projectId = DEFAULT_PROJECT_ID): Promise<{ id: string; token: string }> {
    const key = { projectId, name: randomUUID(), scopes, expiresAt: null };
    const made = await createApiKey(this.database, key, { actor: 'operator', source: 'test' });
    return { id: made.key.id, token: made.token };
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.closeRest();
  }
}

export async function startApi(
  settings: ConfigInput = {},
  onRoute?: (route: { method: string | string[]; url: string }) => void,
): Promise<TestApi> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const database = openDatabase(databaseUrl, { max: 5, applicationName: 'kiln-api-test', onIdleError: () => undefined });
  const config = parseWith(Config, settings, 'settings');
  const logLines: string[] = [];
  const logger = createLogger('api', { level: 'info', destination: { write: (line) => logLines.push(line) } });
  const metrics = createMetrics('api');
  const dependencies = { database, databaseUrl, config: () => config, logger, metrics, version: '0.0.0-test' };
  await publishTestModels(database);
  const { token } = await createApiKey(
    database,
    { projectId: DEFAULT_PROJECT_ID, name: 'tester', scopes: ALL_SCOPES, expiresAt: null },
    { actor: 'operator', source: 'test' },
  );
  const verifier = new ApiKeyVerifier(database);
  const adapter = createAdapter(dependencies, verifier);
  if (onRoute) adapter.getInstance().addHook('onRoute', onRoute);
  const app = await createApp(dependencies, verifier, adapter);
  return new TestApi(app, database, databaseUrl, token, logLines, async () => {
    metrics.close();
    await database.close();
  });
}

export const TINY = { model: 'tiny', queue: queueName('cpu', 'tiny-identity') };
export const ECHO = { model: 'echo', queue: queueName('cpu', 'echo-identity') };

/** One live worker with a model that has two adapters, and the echo. */
export async function publishTestModels(database: Database): Promise<string> {
  const worker = { id: randomUUID(), pool: 'cpu', hostname: 'test', pid: 1, slots: 2 };
  await registerWorker(database, worker);
  const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
  const publication = {
    model_digest: digest('a'),
    tokenizer_digest: digest('b'),
    template_digest: digest('c'),
    context_tokens: null,
    execution_provenance: {},
    pool: 'cpu',
  };
  await publishModels(
    database,
    worker.id,
    [TINY.queue, ECHO.queue],
    [
      {
        publication: {
          ...publication,
          model: TINY.model,
          engine: 'onnx',
          adapters: ['good', 'bad'].map((adapter, index) => ({ adapter, adapter_digest: digest(String(index)) })),
        },
        identity: 'tiny-identity',
        queue: TINY.queue,
      },
      { publication: { ...publication, model: ECHO.model, engine: 'echo', adapters: [] }, identity: 'echo-identity', queue: ECHO.queue },
    ],
    '0',
  );
  return worker.id;
}
