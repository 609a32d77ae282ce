import { type Logger, type Metrics } from '@kiln/observability';
import { type Delivery } from './delivery.js';
import { createErrorLog } from './error-log.js';
import { PostgresDelivery } from './postgres/postgres-delivery.js';
import { DEFAULT_SETTINGS, type QueueSettings } from './queue-settings.js';
import { type QueueConfig, type Queueing } from './queueing.js';
import { RedisDelivery } from './redis/redis-delivery.js';
import { ShardConsumer } from './shard-consumer.js';
import { ShardPublisher } from './shard-publisher.js';

export interface QueueingParts {
  logger: Logger;
  metrics: Pick<Metrics, 'stalledMessages' | 'publishFailures' | 'dispatches' | 'clockSkew'>;
}

/**
 * Connects to the queue's server and proves that it is there and safe to use, or rejects: `QueueUnavailable` when it does not
 * answer within the boot time, `QueueUnsafe` when it would lose or double messages.
 */
export async function openQueueing(
  config: QueueConfig,
  { logger, metrics }: QueueingParts,
  overrides: Partial<QueueSettings> = {},
): Promise<Queueing> {
  const settings = { ...DEFAULT_SETTINGS, ...overrides };
  const logError = createErrorLog(logger);
  const options = { url: config.url, settings, logError };
  const delivery: Delivery = config.backend === 'redis' ? new RedisDelivery(options) : new PostgresDelivery(options, metrics);
  try {
    await delivery.check();
  } catch (error) {
    await delivery.close();
    throw error;
  }

  const publisher = new ShardPublisher({ delivery, settings, logError, metrics });
  const consumers = new Set<ShardConsumer>();
  return {
    publish: (queue, messages) => publisher.publish(queue, messages),
    findMissing: (queue, messages) => publisher.findMissing(queue, messages),
    consume: async (queue, consumeOptions, handler) => {
      const parts = { delivery, settings, logger, logError, metrics, onClosed: (closed: ShardConsumer) => consumers.delete(closed) };
      const consumer = new ShardConsumer(parts, queue, consumeOptions, handler);
      await consumer.start();
      consumers.add(consumer);
      return consumer;
    },
    close: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.close()));
      await publisher.close();
      await delivery.close();
    },
  };
}
