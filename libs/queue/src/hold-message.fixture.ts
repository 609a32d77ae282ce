import { createLogger, createMetrics } from '@kiln/observability';
import { openQueueing } from './open-queueing.js';
import { type QueueSettings } from './queue-settings.js';
import { type QueueConfig } from './queueing.js';

// A process that takes one message, says so, and never finishes it; the conformance suite kills it.
const [config = '', queue = '', settings = ''] = process.argv.slice(2);
const queueing = await openQueueing(
  JSON.parse(config) as QueueConfig,
  { logger: createLogger('holder', { level: 'silent' }), metrics: createMetrics('holder') },
  JSON.parse(settings) as QueueSettings,
);
await queueing.consume(queue, { concurrency: 1 }, (message) => {
  process.send?.(message);
  return new Promise(() => undefined);
});
