import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireProgram } from './require-program.js';
import { startRedis, type TestRedis } from './start-redis.js';

describe.skipIf(requireProgram('redis-server') === null)('startRedis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis({ appendOnly: true });
  });
  afterAll(() => redis.stop());

  it('refuses to evict', async () => {
    expect(await redis.command('CONFIG GET maxmemory-policy')).toContain('noeviction');
  });

  it('keeps data over a restart with an append-only file, and loses it by flushAll', async () => {
    await redis.command('SET a 1');
    await redis.restart();
    expect(await redis.command('GET a')).toBe('$1\r\n1\r\n');
    await redis.flushAll();
    expect(await redis.command('GET a')).toBe('$-1\r\n');
  });

  it('is unreachable while stopped and back on the same port', async () => {
    const { url } = redis;
    await redis.stop('crash');
    await expect(redis.command('PING')).rejects.toThrow(/ECONNREFUSED/);
    await redis.start();
    expect(redis.url).toBe(url);
    expect(await redis.command('PING')).toBe('+PONG\r\n');
  });

  it('reports why it could not start', async () => {
    await expect(startRedis({ evictionPolicy: 'nonsense' })).rejects.toThrow(/ended before it was ready[\s\S]*maxmemory-policy/);
  });
});
