import { randomUUID } from 'node:crypto';
import { createLogger, createMetrics } from '@kiln/observability';
import { openQueueing } from './open-queueing.js';
import { type QueueSettings } from './queue-settings.js';
import { type QueueConfig } from './queueing.js';

// A process that uses everything once, closes, and then has nothing left that keeps it alive.
const [config = '', queue = '', settings = ''] = process.argv.slice(2);
const queueing = await openQueueing(
  JSON.parse(config) as QueueConfig,
  { logger: createLogger('user', { level: 'silent' }), metrics: createMetrics('user') },
  JSON.parse(settings) as QueueSettings,
);
const messages = [{ shardId: randomUUID(), dispatch: 1 }];
await new Promise<void>((resolve, reject) => {
  queueing
    .consume(queue, { concurrency: 1 }, async () => resolve())
    .then((consumer) => consumer.restart())
    .then(() => queueing.publish(queue, messages))
    .catch(reject);
});
await queueing.findMissing(queue, messages);
await queueing.close();
process.disconnect();
