import { randomUUID } from 'node:crypto';
import { createLogger, createMetrics, type Metrics } from '@kiln/observability';
import { requireProgram, startFaultProxy, startRedis, type TestRedis } from '@kiln/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQueueing } from '../open-queueing.js';
import { queueName } from '@kiln/running';
import { QUICK } from '../queueing-conformance.fixture.js';

describe.skipIf(requireProgram('redis-server') === null)('the Redis backend', () => {
  let redis: TestRedis;
  let metrics: Metrics;
  const logger = createLogger('test', { level: 'silent' });
  beforeAll(async () => {
    redis = await startRedis({ appendOnly: true });
    metrics = createMetrics('test');
  });
  afterAll(async () => {
    metrics.close();
    await redis.stop();
  });

  const open = (url = redis.url) => openQueueing({ backend: 'redis', url }, { logger, metrics }, QUICK);
  const shards = (count: number) => Array.from({ length: count }, () => ({ shardId: randomUUID(), dispatch: 1 }));

  it('refuses a server that may evict (row 11)', async () => {
    await redis.command('CONFIG SET maxmemory-policy volatile-lru');
    try {
      await expect(open()).rejects.toMatchObject({ name: 'QueueUnsafe', message: expect.stringContaining('noeviction') });
    } finally {
      await redis.command('CONFIG SET maxmemory-policy noeviction');
    }
  });

  it('says that the password is wrong at once', async () => {
    await redis.command('CONFIG SET requirepass right');
    try {
      await expect(open(redis.url.replace('redis://', 'redis://:wrong@'))).rejects.toMatchObject({
        name: 'QueueUnsafe',
        message: expect.stringMatching(/credentials.*WRONGPASS/),
      });
    } finally {
      await redis.command('AUTH right\r\nCONFIG SET requirepass ""');
    }
  });

  it('keeps messages over a restart with an append-only file (row 8)', async () => {
    const queueing = await open();
    const queue = queueName('cpu', randomUUID());
    const messages = shards(50);
    await queueing.publish(queue, messages);
    await redis.restart();
    expect(await queueing.findMissing(queue, messages)).toEqual([]);
    await queueing.close();
  });

  it('reports a full server and goes on when there is room again (row 12)', async () => {
    const queueing = await openQueueing({ backend: 'redis', url: redis.url }, { logger, metrics }, { ...QUICK, publishMs: 300 });
    const queue = queueName('cpu', randomUUID());
    const messages = shards(20);
    await redis.command('CONFIG SET maxmemory 1');
    await expect(queueing.publish(queue, messages)).rejects.toMatchObject({
      name: 'QueueUnavailable',
      message: expect.stringContaining('OOM'),
    });
    await redis.command('CONFIG SET maxmemory 0');
    await queueing.publish(queue, messages);
    expect(await queueing.findMissing(queue, messages)).toEqual([]);
    await queueing.close();
  });

  it('sends a batch again when the link breaks in its middle (row 30: addBulk is not atomic)', async () => {
    const proxy = await startFaultProxy(redis.port);
    const queueing = await open(`redis://127.0.0.1:${proxy.port}`);
    const queue = queueName('cpu', randomUUID());
    const messages = shards(1_000);
    const publishing = queueing.publish(queue, messages);
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 15));
      proxy.mode = 'refuse';
      await new Promise((resolve) => setTimeout(resolve, 20));
      proxy.mode = 'pass';
    }
    await publishing;
    expect(await queueing.findMissing(queue, messages)).toEqual([]);
    expect(await redis.command(`LLEN kiln:${queue}:wait`)).toBe(':1000\r\n');
    await queueing.close();
    await proxy.close();
  });

  it('drops a message that names no shard, and goes on', async () => {
    const queueing = await open();
    const queue = queueName('cpu', randomUUID());
    const [message] = shards(1) as [{ shardId: string; dispatch: number }];
    await queueing.publish(queue, [message, ...shards(1)]);
    await redis.command(`HSET kiln:${queue}:shard-${message.shardId}-1 data "{\\"shardId\\":7}"`);
    const seen: string[] = [];
    await queueing.consume(queue, { concurrency: 1 }, async ({ shardId }) => void seen.push(shardId));
    await expect.poll(() => seen.length).toBe(1);
    expect(await queueing.findMissing(queue, [message])).toEqual([message]);
    await queueing.close();
  });
});
