export { openQueueing, type QueueingParts } from './open-queueing.js';
export { migrateQueue } from './postgres/migrate-queue.js';
export { QueueUnavailable, QueueUnsafe } from './queue-errors.js';
export { type QueueSettings } from './queue-settings.js';
export { type Consumer, type ConsumeOptions, type QueueConfig, type Queueing, type ShardHandler } from './queueing.js';
export { type ShardMessage } from './shard-message.js';
