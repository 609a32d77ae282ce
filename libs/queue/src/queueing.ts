import { type ShardMessage } from './shard-message.js';

/** Where messages travel. `postgres` is the database of Kiln itself, used when it runs alone. */
export type QueueConfig = { backend: 'redis'; url: string } | { backend: 'postgres'; url: string };

/**
 * Delivery of shard messages. It may drop, double, delay or reorder anything: Postgres decides what a delivery means (claim),
 * and what is missing is found by `findMissing` and dispatched again.
 */
export interface Queueing {
  /**
   * Puts messages into a queue. A message that is there already is left alone, so publishing again is harmless. Rejects with
   * `QueueUnavailable` after a few tries; some of the messages may be in the queue then.
   */
  publish(queue: string, messages: readonly ShardMessage[]): Promise<void>;
  /**
   * The messages that the queue does not hold (neither waiting nor delivered). Rejects with `QueueUnavailable` when the queue
   * cannot be asked: no answer never means missing.
   */
  findMissing(queue: string, messages: readonly ShardMessage[]): Promise<ShardMessage[]>;
  /**
   * Calls the handler for each delivered message, at most `concurrency` at a time. A message is acknowledged when its handler
   * ends, well or not; retries are Postgres's business. Rejects when the backend cannot be reached or is not safe to use.
   */
  consume(queue: string, options: ConsumeOptions, handler: ShardHandler): Promise<Consumer>;
  /** Closes consumers and connections. Always settles: what does not end in time is cut off. */
  close(): Promise<void>;
}

export type ShardHandler = (message: ShardMessage) => Promise<void>;

export interface ConsumeOptions {
  /** Handlers that may run at once, 1 or more. */
  concurrency: number;
}

export interface Consumer {
  /** Handlers running now. */
  readonly running: number;
  /**
   * When the queue last answered this consumer, in ms since 1970; now, while all its handlers are busy, because it has no
   * reason to ask then. An idle consumer asks every 5 s, so one whose value is more than a minute old is not consuming,
   * whatever its connection says: call `restart`.
   */
  readonly lastActivityAt: number;
  /**
   * Opens new connections and consumes through them, then lets go of the old ones. Handlers that run go on, so that for a
   * while more than `concurrency` may run. Rejects, and keeps the old connections, when the backend cannot be reached.
   */
  restart(): Promise<void>;
  /** Takes no more messages, waits `graceMs` (default 10 000) for running handlers, then lets go. Always settles. */
  close(graceMs?: number): Promise<void>;
}
