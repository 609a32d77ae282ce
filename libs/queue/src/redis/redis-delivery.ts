import { createRedisBackend, Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { pause, withinDeadline } from '../deadline.js';
import { type Delivery, type DeliveryOptions, type OpenWorker, type ShardQueue, type WorkerSetup } from '../delivery.js';
import { QueueUnavailable, QueueUnsafe } from '../queue-errors.js';
import { EVENTS_KEPT, MAX_STALLED_COUNT, MESSAGE_OPTIONS } from '../queue-settings.js';
import { serverName } from '../server-name.js';
import { watchAnswers } from '../watch-answers.js';
import { checkRedisServer } from './check-redis-server.js';

/** BullMQ's `keyPrefix` of ioredis is forbidden; this is its own. */
const PREFIX = 'kiln';

/** `replyMapping` is a type parameter of the client, which is left at its default. */
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

export class RedisDelivery implements Delivery {
  readonly server: string;
  readonly #options: DeliveryOptions;
  /** One connection for all publishing. It fails fast: a publisher tries again itself, within its deadline. */
  readonly #publisher: Redis;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.server = `Redis at ${serverName(options.url)}`;
    this.#publisher = this.#client({ maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: options.settings.publishMs });
  }

  async check(): Promise<void> {
    await this.#whenReady(this.#publisher);
    const info = await withinDeadline(this.#options.settings.bootMs, this.server, this.#publisher.info());
    checkRedisServer(info, this.server);
  }

  openQueue(name: string): ShardQueue {
    const queue = new Queue(name, {
      connection: this.#publisher,
      prefix: PREFIX,
      defaultJobOptions: MESSAGE_OPTIONS,
      streams: { events: { maxLen: EVENTS_KEPT } },
    });
    queue.on('error', (error) => this.#options.logError('queue', error));
    return queue;
  }

  /** Each worker has two connections of its own, so that letting go of one worker cannot hurt another. */
  async openWorker(name: string, setup: WorkerSetup): Promise<OpenWorker> {
    const { settings, logError } = this.#options;
    await this.check();
    // Null: a consumer waits for the server to come back instead of losing its place.
    const client = this.#client({ maxRetriesPerRequest: null });
    const blocking: Redis[] = [];
    // BullMQ duplicates the client for its blocking reads and keeps the copy to itself; it must be cut with the rest.
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (override) => {
      const copy = duplicate(override);
      blocking.push(copy);
      return copy;
    };
    const worker = new Worker(
      name,
      (job) => setup.process(job.data),
      {
        connection: client,
        prefix: PREFIX,
        autorun: false,
        concurrency: setup.concurrency,
        lockDuration: settings.lockMs,
        stalledInterval: settings.stalledMs,
        maxStalledCount: MAX_STALLED_COUNT,
        runRetryDelay: settings.retryMs,
        drainDelay: settings.idlePollMs / 1000,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
      (...args) => watchAnswers(createRedisBackend(...args), setup.onAnswer),
    );
    worker.on('error', (error) => logError('consumer', error));
    return {
      worker,
      release: async () => {
        for (const connection of [client, ...blocking]) connection.disconnect();
      },
    };
  }

  async close(): Promise<void> {
    this.#publisher.disconnect();
  }

  #client(options: ClientOptions): Redis {
    const { url, settings, logError } = this.#options;
    const all: ClientOptions = {
      lazyConnect: true,
      connectTimeout: settings.bootMs,
      socketTimeout: settings.socketMs,
      keepAlive: 10_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, settings.retryMs),
      // BullMQ 6.7 is tested by its makers on ioredis 5, which speaks RESP2.
      protocol: 2,
      ...options,
    };
    const client = new Redis(url, all);
    client.on('error', (error) => logError('redis', error));
    return client;
  }

  /** Waits for a connection within the boot time, however often it takes; says the last reason when it does not come. */
  async #whenReady(client: Redis): Promise<void> {
    const { bootMs } = this.#options.settings;
    let reason = 'no connection';
    const onError = (error: Error) => (reason = error.message);
    client.on('error', onError);
    try {
      const deadline = performance.now() + bootMs;
      if (client.status === 'wait') client.connect().catch(() => undefined);
      while (client.status !== 'ready') {
        if (client.status === 'end') throw new QueueUnavailable(`${this.server} is closed`);
        if (performance.now() > deadline)
          throw new QueueUnavailable(`${this.server} did not become ready within ${bootMs} ms (${reason}); is it running?`);
        if (/NOAUTH|WRONGPASS/.test(reason)) throw new QueueUnsafe(`${this.server} refuses the credentials (${reason})`);
        await pause(20);
      }
    } finally {
      client.off('error', onError);
    }
  }
}
