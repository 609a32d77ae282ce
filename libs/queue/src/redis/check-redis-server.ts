import { QueueUnsafe } from '../queue-errors.js';

const OLDEST: readonly [number, number] = [6, 2];

/**
 * Refuses a Redis on which a queue is not safe, from the text of its INFO command.
 *
 * Any eviction policy but `noeviction` lets Redis drop parts of a queue when memory is short; BullMQ only prints a warning, and
 * a fleet then stops consuming with every process "healthy" (langfuse#15509). Versions before 6.2 lack commands that are used.
 */
export function checkRedisServer(info: string, server: string): void {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const version = field('redis_version') ?? '0.0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new QueueUnsafe(`${server} is version ${version}; 6.2 or newer is needed`);
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    throw new QueueUnsafe(`${server} has maxmemory-policy ${policy}, which may evict parts of a queue; set maxmemory-policy noeviction`);
  }
  if (field('role') === 'slave') throw new QueueUnsafe(`${server} is a replica; use the address of its primary`);
}
