import { type Logger, type Metrics } from '@kiln/observability';
import { pause, withinDeadline } from './deadline.js';
import { type Delivery, type OpenWorker } from './delivery.js';
import { type ErrorLog } from './error-log.js';
import { poolOf } from '@kiln/running';
import { type QueueSettings } from './queue-settings.js';
import { type Consumer, type ConsumeOptions, type ShardHandler } from './queueing.js';
import { parseShardMessage, type ShardMessage } from './shard-message.js';

const DEFAULT_GRACE_MS = 10_000;
/** What the acknowledgement of a finished message, and the end of an idle connection, may take while closing. */
const FAREWELL_MS = 1_000;

/** One BullMQ worker with its connections and the handlers that it started. */
interface Generation extends OpenWorker {
  handlers: Set<Promise<void>>;
}

export interface ConsumerParts {
  delivery: Delivery;
  settings: QueueSettings;
  logger: Logger;
  logError: ErrorLog;
  metrics: Pick<Metrics, 'stalledMessages'>;
  onClosed: (consumer: ShardConsumer) => void;
}

/** Consumes one queue through one BullMQ worker at a time; see `Consumer` for what it promises. */
export class ShardConsumer implements Consumer {
  readonly #parts: ConsumerParts;
  readonly #queue: string;
  readonly #concurrency: number;
  readonly #handler: ShardHandler;
  #current: Generation | null = null;
  #closing: Promise<void> | null = null;
  /** Generations that are being let go of, and what makes them stop waiting for their handlers. */
  readonly #retiring = new Set<Promise<void>>();
  readonly #hurry = new AbortController();
  #lastAnswerAt = Date.now();
  #running = 0;

  constructor(parts: ConsumerParts, queue: string, { concurrency }: ConsumeOptions, handler: ShardHandler) {
    if (!Number.isSafeInteger(concurrency) || concurrency < 1)
      throw new TypeError(`concurrency: expected a whole number, 1 or more, got ${concurrency}`);
    this.#parts = parts;
    this.#queue = queue;
    this.#concurrency = concurrency;
    this.#handler = handler;
  }

  get running(): number {
    return this.#running;
  }

  get lastActivityAt(): number {
    return this.#running >= this.#concurrency ? Date.now() : this.#lastAnswerAt;
  }

  /** Opens the first worker. */
  async start(): Promise<void> {
    this.#current = await this.#open();
  }

  async restart(): Promise<void> {
    if (this.#closing !== null) throw new Error('the consumer is closed');
    const old = this.#current;
    const next = await this.#open();
    if (this.#closing !== null) return this.#retire(next);
    this.#current = next;
    this.#lastAnswerAt = Date.now();
    // Not awaited: the old one may be hanging, which is why we are here.
    if (old !== null) void this.#retire(old);
  }

  close(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<void> {
    if (this.#current !== null) void this.#retire(this.#current);
    const timer = setTimeout(() => this.#hurry.abort(), graceMs);
    await Promise.all(this.#retiring);
    clearTimeout(timer);
    this.#parts.onClosed(this);
  }

  async #open(): Promise<Generation> {
    const { delivery, settings, logError, metrics } = this.#parts;
    const handlers = new Set<Promise<void>>();
    const opened = await delivery.openWorker(this.#queue, {
      concurrency: this.#concurrency,
      // Takes one argument on purpose, and returns nothing: a returned value would travel through the queue.
      process: async (data) => {
        const handling = this.#handle(data);
        handlers.add(handling);
        await handling;
        handlers.delete(handling);
      },
      onAnswer: () => (this.#lastAnswerAt = Date.now()),
    });
    opened.worker.on('stalled', () => metrics.stalledMessages.inc({ pool: poolOf(this.#queue) }));
    try {
      await withinDeadline(settings.bootMs, delivery.server, opened.worker.waitUntilReady());
    } catch (error) {
      await opened.release();
      throw error;
    }
    opened.worker.run().catch((error: unknown) => logError('consumer', error));
    return { ...opened, handlers };
  }

  /**
   * Runs the handler and always succeeds. Nothing would come of a failure (no attempt is left and no failed message is kept), and
   * the text of an error must not travel: one NUL in it, and the Postgres backend can neither fail nor complete the message.
   */
  async #handle(data: unknown): Promise<void> {
    let message: ShardMessage;
    try {
      message = parseShardMessage(data);
    } catch (error) {
      this.#parts.logger.error({ err: error, queue: this.#queue }, 'dropped a message that names no shard');
      return;
    }
    this.#running += 1;
    try {
      await this.#handler(message);
    } catch (error) {
      this.#parts.logger.error(
        { err: error, queue: this.#queue, shard: message.shardId, dispatch: message.dispatch },
        'the handler of a shard failed',
      );
    } finally {
      this.#running -= 1;
      this.#lastAnswerAt = Date.now();
    }
  }

  #retire(generation: Generation): Promise<void> {
    const retiring = this.#letGo(generation);
    this.#retiring.add(retiring);
    return retiring.finally(() => this.#retiring.delete(retiring));
  }

  /**
   * BullMQ's close waits without limit, both for handlers and for a server that is away. So the handlers are waited for here,
   * until `close` loses patience, and BullMQ gets a moment after them to acknowledge and say goodbye.
   */
  async #letGo({ worker, release, handlers }: Generation): Promise<void> {
    const { logError } = this.#parts;
    let closed = false;
    const closing = worker.close().then(
      () => (closed = true),
      (error: unknown) => logError('closing', error),
    );
    await Promise.race([closing, Promise.all(handlers), aborted(this.#hurry.signal)]);
    await Promise.race([closing, pause(FAREWELL_MS)]);
    if (!closed)
      logError(`cut off a consumer of ${this.#queue}`, new Error(`it did not close in time; ${handlers.size} handlers were running`));
    await release();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
}
