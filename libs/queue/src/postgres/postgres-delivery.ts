import {
  assertSchemaCompatibility,
  createPostgresBackend,
  SchemaMigrationRequiredError,
  SchemaVersionMismatchError,
  withBackend,
} from 'bullmq';
import { type Metrics } from '@kiln/observability';
import { pause, withinDeadline } from '../deadline.js';
import { type Delivery, type DeliveryOptions, type OpenWorker, type ShardQueue, type WorkerSetup } from '../delivery.js';
import { QueueUnavailable, QueueUnsafe } from '../queue-errors.js';
import { EVENTS_KEPT, MAX_STALLED_COUNT, MESSAGE_OPTIONS } from '../queue-settings.js';
import { serverName } from '../server-name.js';
import { watchAnswers } from '../watch-answers.js';
import { clockSkew } from './clock-skew.js';
import { QUEUE_SCHEMA } from './migrate-queue.js';
import { PatientPool } from './patient-pool.js';
import { isTransient } from './transient-error.js';

const SKEW_CHECK_MS = 3_600_000;
/** One connection listens; the rest fetch, finish, renew and look for stalled messages. */
const WORKER_CONNECTIONS = 4;
const PUBLISHER_CONNECTIONS = 2;
const CUT_MS = 200;

const { Queue } = withBackend(createPostgresBackend);

export class PostgresDelivery implements Delivery {
  readonly server: string;
  readonly #options: DeliveryOptions;
  readonly #metrics: Pick<Metrics, 'clockSkew'>;
  readonly #publisher: PatientPool;
  readonly #skewTimer: NodeJS.Timeout;

  constructor(options: DeliveryOptions, metrics: Pick<Metrics, 'clockSkew'>) {
    this.#options = options;
    this.#metrics = metrics;
    this.server = `Postgres at ${serverName(options.url)}`;
    this.#publisher = this.#pool(PUBLISHER_CONNECTIONS, 'kiln queue publisher');
    this.#skewTimer = setInterval(() => {
      this.#checkClock().catch((error: unknown) => options.logError('clock', error));
    }, SKEW_CHECK_MS);
    this.#skewTimer.unref();
  }

  async check(): Promise<void> {
    await this.#whenReady();
    await this.#checkSchema();
    await this.#checkClock();
  }

  openQueue(name: string): ShardQueue {
    const queue = new Queue(name, {
      connection: this.#publisher.forBullMq,
      defaultJobOptions: MESSAGE_OPTIONS,
      streams: { events: { maxLen: EVENTS_KEPT } },
    });
    queue.on('error', (error) => this.#options.logError('queue', error));
    return queue;
  }

  /**
   * The check comes first: a worker that is built while Postgres is down stays dead for ever, because BullMQ remembers its
   * failed start, while `isRunning()` says true and no error fires.
   */
  async openWorker(name: string, setup: WorkerSetup): Promise<OpenWorker> {
    const { settings, logError } = this.#options;
    await this.check();
    const pool = this.#pool(WORKER_CONNECTIONS, `kiln consumer ${name}`.slice(0, 63));
    const { Worker } = withBackend((...args: Parameters<typeof createPostgresBackend>) =>
      watchAnswers(createPostgresBackend(...args), setup.onAnswer),
    );
    const worker = new Worker(name, (job) => setup.process(job.data), {
      connection: pool.forBullMq,
      autorun: false,
      concurrency: setup.concurrency,
      lockDuration: settings.lockMs,
      stalledInterval: settings.stalledMs,
      maxStalledCount: MAX_STALLED_COUNT,
      runRetryDelay: settings.retryMs,
      drainDelay: settings.idlePollMs / 1000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.on('error', (error) => logError('consumer', error));
    return { worker, release: () => pool.cut(CUT_MS) };
  }

  async close(): Promise<void> {
    clearInterval(this.#skewTimer);
    await this.#publisher.cut(CUT_MS);
  }

  #pool(max: number, applicationName: string): PatientPool {
    const { url, settings, logError } = this.#options;
    return new PatientPool(
      {
        connectionString: url,
        // A pool that is passed in must find BullMQ's unqualified names by itself.
        options: `-c search_path=${QUEUE_SCHEMA}`,
        max,
        application_name: applicationName,
        connectionTimeoutMillis: settings.bootMs,
        statement_timeout: settings.socketMs,
        query_timeout: settings.socketMs,
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
      },
      logError,
    );
  }

  async #whenReady(): Promise<void> {
    const { bootMs } = this.#options.settings;
    const deadline = performance.now() + bootMs;
    for (;;) {
      try {
        await withinDeadline(bootMs, this.server, this.#publisher.query('SELECT 1'));
        return;
      } catch (error) {
        const { message, cause } = error as Error;
        if (!isTransient(error)) throw new QueueUnavailable(`${this.server} refuses the connection: ${message}`, { cause: error });
        if (performance.now() > deadline) {
          throw new QueueUnavailable(
            `${this.server} did not become ready within ${bootMs} ms (${cause instanceof Error ? cause.message : message}); is it running?`,
            { cause: error },
          );
        }
        await pause(100);
      }
    }
  }

  async #checkSchema(): Promise<void> {
    try {
      await assertSchemaCompatibility(this.#publisher, QUEUE_SCHEMA);
    } catch (error) {
      if (error instanceof SchemaMigrationRequiredError)
        throw new QueueUnsafe(`${this.server} has no queue schema; run the migrations first`, { cause: error });
      if (error instanceof SchemaVersionMismatchError)
        throw new QueueUnsafe(`${this.server} has the queue schema of a newer version; update this process`, { cause: error });
      throw error;
    }
  }

  /**
   * This backend times locks with the clock of each worker: one that is ahead steals messages that others still renew, and one
   * that jumps forward stops the search for stalled ones. A quarter of the lock is half of what renewing leaves as margin.
   */
  async #checkClock(): Promise<void> {
    const sentAt = Date.now();
    const { rows } = (await this.#publisher.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now')) as unknown as {
      rows: { now: string }[];
    };
    const skewMs = clockSkew(sentAt, Number(rows[0]?.now), Date.now());
    this.#metrics.clockSkew.set(skewMs / 1000);
    const limitMs = this.#options.settings.lockMs / 4;
    if (Math.abs(skewMs) > limitMs) {
      throw new QueueUnsafe(
        `the clock of this machine is ${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the clock of ${this.server}; at most ${limitMs / 1000} s are safe. Synchronise the clocks (NTP)`,
      );
    }
  }
}
