import { type Config } from '@kiln/contracts';
import { requireDatabaseUrl } from './require-database-url.js';

export type QueueBackendConfig = { backend: 'redis'; url: string } | { backend: 'postgres'; url: string };

/** Where messages travel: Redis where it is configured, else the database itself. */
export function queueBackend(config: Config): QueueBackendConfig {
  const redis = config.queue.backend === 'redis' || (config.queue.backend === 'auto' && config.redis_url !== null);
  if (redis && config.redis_url !== null) return { backend: 'redis', url: config.redis_url };
  return { backend: 'postgres', url: requireDatabaseUrl(config) };
}
