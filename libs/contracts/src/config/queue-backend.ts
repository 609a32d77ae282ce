import { KilnError } from '../errors/kiln-error.js';
import { type Config } from './config.js';

export type QueueBackend = { backend: 'redis'; url: string } | { backend: 'postgres'; url: string };

/**
 * The store that messages travel through: Redis where there is one, otherwise the database itself.
 * @throws {KilnError} when neither has a URL.
 */
export function queueBackend(config: Pick<Config, 'queue' | 'redis_url' | 'database_url'>): QueueBackend {
  const { redis_url: redis, database_url: database } = config;
  if (config.queue.backend !== 'postgres' && redis !== null) return { backend: 'redis', url: redis };
  if (config.queue.backend !== 'redis' && database !== null) return { backend: 'postgres', url: database };
  throw new KilnError('eval_invalid_request', 'no queue: neither redis_url nor database_url is set', {
    hint: 'Set KILN_DATABASE_URL, or run `kiln up`, which starts a database.',
  });
}
