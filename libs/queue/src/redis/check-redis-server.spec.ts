import { describe, expect, it } from 'vitest';
import { QueueUnsafe } from '../queue-errors.js';
import { checkRedisServer } from './check-redis-server.js';

const info = (version: string, policy: string, role = 'master') =>
  `# Server\r\nredis_version:${version}\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n# Replication\r\nrole:${role}\r\n`;

describe('checkRedisServer', () => {
  it.each(['6.2.0', '7.0.15', '8.2.1', '10.0.0'])('accepts %s that never evicts', (version) => {
    expect(() => checkRedisServer(info(version, 'noeviction'), 'Redis')).not.toThrow();
  });

  it.each([
    ['5.0.14', 'noeviction', 'master', /version 5\.0\.14; 6\.2 or newer/],
    ['6.0.16', 'noeviction', 'master', /6\.2 or newer/],
    ['7.2.4', 'volatile-lru', 'master', /maxmemory-policy volatile-lru.*set maxmemory-policy noeviction/],
    ['7.2.4', 'noeviction', 'slave', /replica/],
  ])('refuses %s, %s, %s', (version, policy, role, message) => {
    expect(() => checkRedisServer(info(version, policy, role), 'Redis')).toThrow(message);
    expect(() => checkRedisServer(info(version, policy, role), 'Redis')).toThrow(QueueUnsafe);
  });

  it('accepts a server that does not tell its policy', () => {
    expect(() => checkRedisServer('redis_version:7.4.0\r\n', 'Redis')).not.toThrow();
  });
});
