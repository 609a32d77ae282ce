import { type Logger } from '@kiln/observability';
import { type Consumer, type Queueing, type ShardHandler } from '@kiln/queue';

/** An idle consumer hears from its queue every few seconds; after this long it is taken to hang. */
const SILENT_MS = 60_000;

/** One consumer per queue that this worker can serve. */
export class ShardConsumers {
  readonly #byQueue = new Map<string, Consumer>();

  constructor(
    private readonly queueing: Queueing,
    private readonly concurrency: number,
    private readonly handler: ShardHandler,
    private readonly log: Logger,
  ) {}

  /** Consumes exactly these queues from now on. */
  async follow(queues: readonly string[]): Promise<void> {
    for (const [queue, consumer] of this.#byQueue) {
      if (queues.includes(queue)) continue;
      this.#byQueue.delete(queue);
      await consumer.close();
    }
    for (const queue of queues) {
      if (this.#byQueue.has(queue)) continue;
      this.#byQueue.set(queue, await this.queueing.consume(queue, { concurrency: this.concurrency }, this.handler));
    }
  }

  /** Opens new connections for consumers that live but do not consume. */
  async restartSilent(now: number): Promise<void> {
    for (const [queue, consumer] of this.#byQueue) {
      if (now - consumer.lastActivityAt < SILENT_MS) continue;
      this.log.warn({ queue }, 'the queue has been silent: connecting again');
      await consumer.restart().catch((error: unknown) => this.log.warn({ err: error, queue }, 'could not connect again'));
    }
  }

  /** Takes nothing more and waits up to `graceMs` for the shards that run. */
  async close(graceMs: number): Promise<void> {
    await Promise.all([...this.#byQueue.values()].map((consumer) => consumer.close(graceMs)));
  }
}
