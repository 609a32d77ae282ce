export { openQueueing, type QueueingParts } from './open-queueing.js';
export { migrateQueue } from './postgres/migrate-queue.js';
export { QueueUnavailable, QueueUnsafe } from './queue-errors.js';
export { DEFAULT_SETTINGS, type QueueSettings } from './queue-settings.js';
export { type Consumer, type ConsumeOptions, type QueueConfig, type Queueing, type ShardHandler } from './queueing.js';
export { messageId, type ShardMessage } from './shard-message.js';
