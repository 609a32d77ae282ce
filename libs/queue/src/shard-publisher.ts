import { type Metrics } from '@kiln/observability';
import { pause, withinDeadline } from './deadline.js';
import { type Delivery, type ShardQueue } from './delivery.js';
import { type ErrorLog } from './error-log.js';
import { poolOf } from '@kiln/running';
import { QueueUnavailable } from './queue-errors.js';
import { type QueueSettings } from './queue-settings.js';
import { messageId, parseShardMessage, type ShardMessage } from './shard-message.js';

const PUBLISH_BATCH = 500;
const LOOKUP_BATCH = 200;
const RETRY_PAUSE_MS = 100;

export interface PublisherParts {
  delivery: Delivery;
  settings: QueueSettings;
  logError: ErrorLog;
  metrics: Pick<Metrics, 'publishFailures' | 'dispatches'>;
}

/** The sending side of all queues of one process. */
export class ShardPublisher {
  readonly #parts: PublisherParts;
  readonly #queues = new Map<string, ShardQueue>();

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  async publish(name: string, messages: readonly ShardMessage[]): Promise<void> {
    const entries = messages.map((message) => {
      const data = parseShardMessage(message);
      return { name: 'shard', data, opts: { jobId: messageId(data) } };
    });
    for (let at = 0; at < entries.length; at += PUBLISH_BATCH) {
      const batch = entries.slice(at, at + PUBLISH_BATCH);
      // On Redis a batch is a pipeline and not atomic: after a failure all of it is sent again, and what is there is skipped.
      await this.#persist(name, async (queue) => void (await queue.addBulk(batch)));
      this.#parts.metrics.dispatches.inc({ pool: poolOf(name) }, batch.length);
    }
  }

  async findMissing(name: string, messages: readonly ShardMessage[]): Promise<ShardMessage[]> {
    const missing: ShardMessage[] = [];
    for (let at = 0; at < messages.length; at += LOOKUP_BATCH) {
      const batch = messages.slice(at, at + LOOKUP_BATCH);
      const states = await this.#persist(name, (queue) => Promise.all(batch.map((message) => queue.getJobState(messageId(message)))));
      missing.push(...batch.filter((_, index) => isGone(states[index])));
    }
    return missing;
  }

  async close(): Promise<void> {
    const open = [...this.#queues.values()];
    this.#queues.clear();
    await Promise.all(
      open.map((queue) =>
        withinDeadline(2_000, this.#parts.delivery.server, queue.close()).catch((error: unknown) => this.#parts.logError('closing', error)),
      ),
    );
  }

  /** Tries again until it works or the time is up. */
  async #persist<T>(name: string, work: (queue: ShardQueue) => Promise<T>): Promise<T> {
    const { delivery, settings, logError, metrics } = this.#parts;
    const deadline = performance.now() + settings.publishMs;
    for (;;) {
      try {
        const left = Math.max(1, deadline - performance.now());
        return await withinDeadline(left, delivery.server, this.#open(name).then(work));
      } catch (error) {
        metrics.publishFailures.inc({ topic: 'shards' });
        logError('publishing', error);
        if (performance.now() + RETRY_PAUSE_MS >= deadline) {
          throw new QueueUnavailable(`${delivery.server} is not available: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        }
        await pause(RETRY_PAUSE_MS);
      }
    }
  }

  /** A queue that did not become ready is thrown away: BullMQ remembers the failure for ever (its Postgres backend). */
  async #open(name: string): Promise<ShardQueue> {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = this.#parts.delivery.openQueue(name);
      this.#queues.set(name, queue);
    }
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      if (this.#queues.get(name) === queue) this.#queues.delete(name);
      void queue.close().catch(() => undefined);
      throw error;
    }
  }
}

/** A message in any other state will be delivered. `completed` and `failed` are not kept, but would mean the same. */
function isGone(state: string | undefined): boolean {
  return state === undefined || state === 'unknown' || state === 'completed' || state === 'failed';
}
