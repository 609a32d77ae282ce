import { type ErrorLog } from './error-log.js';
import { type QueueSettings } from './queue-settings.js';
import { type ShardMessage } from './shard-message.js';

/** What is used of BullMQ's classes, whose types differ by backend. */
export interface ShardQueue {
  addBulk(messages: { name: string; data: ShardMessage; opts: { jobId: string } }[]): Promise<unknown>;
  getJobState(id: string): Promise<string>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

export interface ShardWorker {
  run(): Promise<void>;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  on(event: 'stalled', listener: () => void): unknown;
}

export interface WorkerSetup {
  concurrency: number;
  process: (data: unknown) => Promise<void>;
  /** Called when the queue has answered a request for a message. */
  onAnswer: () => void;
}

export interface OpenWorker {
  worker: ShardWorker;
  /** Cuts its connections, whatever state they are in. Always settles. */
  release(): Promise<void>;
}

/** What a backend has to offer; everything else is common to both. */
export interface Delivery {
  /** For messages: "Redis at redis://…". */
  readonly server: string;
  /** Refuses a server that is away (`QueueUnavailable`) or not safe (`QueueUnsafe`). */
  check(): Promise<void>;
  openQueue(name: string): ShardQueue;
  openWorker(name: string, setup: WorkerSetup): Promise<OpenWorker>;
  close(): Promise<void>;
}

export interface DeliveryOptions {
  url: string;
  settings: QueueSettings;
  logError: ErrorLog;
}
