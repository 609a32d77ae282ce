import { requireProgram, startFaultProxy, startRedis } from '@kiln/testing';
import { describe } from 'vitest';
import { describeQueueing, type QueueServer } from '../queueing-conformance.fixture.js';

describe.skipIf(requireProgram('redis-server') === null)('Redis', () => {
  describeQueueing('Redis', async () => {
    const redis = await startRedis({ appendOnly: true });
    const proxy = await startFaultProxy(redis.port);
    const server: QueueServer = {
      config: { backend: 'redis', url: redis.url },
      broken: {
        config: { backend: 'redis', url: `redis://127.0.0.1:${proxy.port}` },
        cut: () => (proxy.mode = 'blackHole'),
        mend: () => (proxy.mode = 'pass'),
      },
      stop: () => redis.stop('crash'),
      start: () => redis.start(),
      forget: () => redis.flushAll(),
      dropConnections: async () => void (await redis.command('CLIENT KILL TYPE normal SKIPME yes')),
      count: async () => (await redis.command('KEYS kiln:*:shard-*')).split('\r\n').filter((key) => key.startsWith('kiln:')).length,
    };
    return {
      server,
      close: async () => {
        await proxy.close();
        await redis.stop();
      },
    };
  });
});
