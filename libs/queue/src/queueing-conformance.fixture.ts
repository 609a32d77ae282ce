import { randomUUID } from 'node:crypto';
import { createLogger, createMetrics, type Metrics } from '@kiln/observability';
import { forkModule } from '@kiln/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openQueueing } from './open-queueing.js';
import { queueName } from '@kiln/running';
import { type QueueSettings } from './queue-settings.js';
import { type Consumer, type QueueConfig, type Queueing } from './queueing.js';
import { type ShardMessage } from './shard-message.js';

/** Production times divided by forty, so that recovery can be waited for. */
export const QUICK: QueueSettings = {
  lockMs: 1_500,
  stalledMs: 500,
  retryMs: 100,
  idlePollMs: 200,
  bootMs: 1_500,
  publishMs: 3_000,
  socketMs: 1_000,
};

/** A backend's server under test. */
export interface QueueServer {
  config: QueueConfig;
  /** The same server behind a link that can be cut. */
  broken: { config: QueueConfig; cut(): void; mend(): void };
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Loses all messages, as a wiped volume does. */
  forget(): Promise<void>;
  /** Ends every client connection on the server's side. */
  dropConnections(): Promise<void>;
  /** Messages of any state that the server holds. */
  count(): Promise<number>;
}

/** Everything that the rest of Kiln relies on; run against both backends. */
export function describeQueueing(name: string, startServer: () => Promise<{ server: QueueServer; close(): Promise<void> }>): void {
  describe(`queueing on ${name}`, () => {
    let server: QueueServer;
    let closeServer: () => Promise<void>;
    let metrics: Metrics;
    const open: Queueing[] = [];

    beforeAll(async () => {
      ({ server, close: closeServer } = await startServer());
      metrics = createMetrics('test');
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((queueing) => queueing.close()));
    });
    afterAll(async () => {
      metrics.close();
      await closeServer();
    });

    const connect = async (config = server.config, settings: Partial<QueueSettings> = {}) => {
      const queueing = await openQueueing(
        config,
        { logger: createLogger('test', { level: 'silent' }), metrics },
        { ...QUICK, ...settings },
      );
      open.push(queueing);
      return queueing;
    };
    const newQueue = () => queueName('cpu', randomUUID());
    const shards = (count: number): ShardMessage[] => Array.from({ length: count }, () => ({ shardId: randomUUID(), dispatch: 1 }));
    const ids = (messages: readonly ShardMessage[]) => messages.map(({ shardId }) => shardId).toSorted();
    const collect = async (queueing: Queueing, queue: string, concurrency = 2) => {
      const seen: ShardMessage[] = [];
      const consumer = await queueing.consume(queue, { concurrency }, async (message) => void seen.push(message));
      return { seen, consumer };
    };
    const gate = () => {
      let release = () => undefined as void;
      const opened = new Promise<void>((resolve) => (release = resolve));
      return { opened, release: () => release() };
    };
    const allGone = (queueing: Queueing, queue: string, messages: ShardMessage[]) =>
      expect.poll(async () => (await queueing.findMissing(queue, messages)).length, { timeout: 10_000 }).toBe(messages.length);

    it('delivers every message once, in more than one batch, and keeps nothing', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const messages = shards(1_100);
      const { seen } = await collect(queueing, queue, 8);
      await queueing.publish(queue, messages);
      await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(1_100);
      expect(ids(seen)).toEqual(ids(messages));
      await expect.poll(() => server.count()).toBe(0);
    });

    it('runs no more handlers at once than asked', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const { opened, release } = gate();
      const consumer = await queueing.consume(queue, { concurrency: 3 }, () => opened);
      await queueing.publish(queue, shards(6));
      await expect.poll(() => consumer.running).toBe(3);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(consumer.running).toBe(3);
      // Busy is not stuck: a consumer with no free slot has no reason to ask.
      expect(Date.now() - consumer.lastActivityAt).toBeLessThan(50);
      release();
      await expect.poll(() => consumer.running).toBe(0);
    });

    it('skips a message that is there already, and takes it again when it is done (rows 7, 28)', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const [message] = shards(1) as [ShardMessage];
      await queueing.publish(queue, [message, message]);
      await queueing.publish(queue, [message]);
      const { seen } = await collect(queueing, queue);
      await allGone(queueing, queue, [message]);
      expect(seen).toEqual([message]);
      await queueing.publish(queue, [message]);
      await expect.poll(() => seen.length).toBe(2);
    });

    it('tells missing messages from waiting and delivered ones', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const { opened, release } = gate();
      const messages = shards(300);
      const absent = shards(3);
      await queueing.publish(queue, messages);
      const consumer = await queueing.consume(queue, { concurrency: 2 }, () => opened);
      await expect.poll(() => consumer.running).toBe(2);
      expect(await queueing.findMissing(queue, [...messages, ...absent])).toEqual(absent);
      // Another dispatch of the same shard is another message.
      const later = messages.slice(0, 2).map(({ shardId }) => ({ shardId, dispatch: 2 }));
      expect(await queueing.findMissing(queue, later)).toEqual(later);
      release();
      await allGone(queueing, queue, messages);
    });

    it('finds out that everything was wiped, and goes on (row 9, finding 10)', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const messages = shards(20);
      const { opened, release } = gate();
      const seen: ShardMessage[] = [];
      const consumer = await queueing.consume(queue, { concurrency: 2 }, async (message) => {
        await opened;
        seen.push(message);
      });
      await queueing.publish(queue, messages);
      await expect.poll(() => consumer.running).toBe(2);
      await server.forget();
      expect(await queueing.findMissing(queue, messages)).toEqual(messages);
      await queueing.publish(queue, messages);
      release();
      await expect.poll(() => new Set(ids(seen)).size, { timeout: 10_000 }).toBe(20);
    });

    it('delivers again what a killed consumer held (row 1)', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const [message] = shards(1) as [ShardMessage];
      await queueing.publish(queue, [message]);
      const child = forkModule(new URL('./hold-message.fixture.ts', import.meta.url), [
        JSON.stringify(server.config),
        queue,
        JSON.stringify(QUICK),
      ]);
      const held = await new Promise((resolve, reject) => {
        child.once('message', resolve);
        child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
      });
      expect(held).toEqual(message);
      const { seen } = await collect(queueing, queue);
      child.kill('SIGKILL');
      await expect.poll(() => seen, { timeout: 10_000 }).toEqual([message]);
      const { values } = await metrics.stalledMessages.get();
      expect(values.find(({ labels }) => labels['pool'] === 'cpu')?.value).toBeGreaterThan(0);
    });

    it('survives errors whose text the queue could not store (row 48, finding 9)', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const messages = shards(4);
      let calls = 0;
      await queueing.consume(queue, { concurrency: 1 }, async () => {
        calls += 1;
        throw new Error('model said \u0000 and \ud800');
      });
      await queueing.publish(queue, messages);
      await allGone(queueing, queue, messages);
      // One attempt each: retries are not the queue's business.
      expect(calls).toBe(4);
    });

    it('consumes again after the server was restarted in the middle of a handler (rows 8, 17)', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const { opened, release } = gate();
      const seen: ShardMessage[] = [];
      const consumer = await queueing.consume(queue, { concurrency: 1 }, async (message) => {
        seen.push(message);
        await opened;
      });
      const [first, second] = shards(2) as [ShardMessage, ShardMessage];
      await queueing.publish(queue, [first]);
      await expect.poll(() => consumer.running).toBe(1);
      await server.stop();
      release();
      await server.start();
      await queueing.publish(queue, [second]);
      await expect.poll(() => ids(seen), { timeout: 10_000 }).toContain(second.shardId);
      expect(Date.now() - consumer.lastActivityAt).toBeLessThan(2_000);
    });

    it('finishes everything while connections are dropped again and again (finding 4)', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const messages = shards(200);
      const seen = new Set<string>();
      await queueing.consume(queue, { concurrency: 4 }, async ({ shardId }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen.add(shardId);
      });
      await queueing.publish(queue, messages);
      for (let round = 0; round < 4; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        await server.dropConnections();
      }
      // Where a drop swallowed the answer to a fetch, the message is with nobody until its lock has run out.
      await allGone(queueing, queue, messages);
      expect(seen.size).toBe(200);
    });

    it('publishes what it can when the server comes back in time (rows 27, 30)', async () => {
      const queueing = await connect();
      const [known, fresh] = [newQueue(), newQueue()];
      const messages = shards(10);
      await queueing.publish(known, shards(1));
      await server.stop();
      const published = Promise.all([queueing.publish(known, messages), queueing.publish(fresh, messages)]);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await server.start();
      await published;
      expect(await queueing.findMissing(known, messages)).toEqual([]);
      // A queue first used while the server was down is not dead for ever (finding 7).
      expect(await queueing.findMissing(fresh, messages)).toEqual([]);
    });

    it('never takes no answer for missing; gives up in time', async () => {
      const queueing = await connect(server.config, { publishMs: 300, bootMs: 1_000 });
      const queue = newQueue();
      const messages = shards(2);
      await queueing.publish(queue, messages);
      await server.stop();
      try {
        await expect(queueing.findMissing(queue, messages)).rejects.toMatchObject({ name: 'QueueUnavailable' });
        await expect(queueing.publish(queue, messages)).rejects.toMatchObject({ name: 'QueueUnavailable' });
        await expect(queueing.consume(queue, { concurrency: 1 }, async () => undefined)).rejects.toMatchObject({
          name: 'QueueUnavailable',
        });
      } finally {
        await server.start();
      }
      // Not a dead worker (finding 7): the next try works.
      const { seen } = await collect(queueing, queue);
      await queueing.publish(queue, messages);
      await expect.poll(() => ids(seen)).toEqual(ids(messages));
    });

    it('says what is wrong when the server is down at start, without the password', async () => {
      const url = new URL(server.config.url);
      url.port = '1';
      url.password = 'hunter2';
      const started = performance.now();
      const failure = await openQueueing(
        { ...server.config, url: url.href },
        { logger: createLogger('test', { level: 'silent' }), metrics },
        { ...QUICK, bootMs: 400 },
      ).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        name: 'QueueUnavailable',
        message: expect.stringMatching(/at .*127\.0\.0\.1:1.* did not become ready within 400 ms .*ECONNREFUSED/),
      });
      expect(String(failure)).not.toContain('hunter2');
      expect(performance.now() - started).toBeLessThan(1_500);
    });

    it('shows that it does not consume, and consumes after restart (rows 13, 15, 16: alive, not consuming)', async () => {
      // A long socket time-out, so that nothing but `restart` can help.
      const queueing = await connect(server.broken.config, { socketMs: 60_000, bootMs: 3_000 });
      const direct = await connect();
      const queue = newQueue();
      const { seen, consumer } = await collect(queueing, queue);
      await expect.poll(() => Date.now() - consumer.lastActivityAt).toBeLessThan(500);
      server.broken.cut();
      const cutAt = Date.now();
      const [message] = shards(1) as [ShardMessage];
      await direct.publish(queue, [message]);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(seen).toEqual([]);
      expect(consumer.lastActivityAt).toBeLessThan(cutAt + 250);
      server.broken.mend();
      await consumer.restart();
      await expect.poll(() => seen, { timeout: 10_000 }).toEqual([message]);
    });

    it('gets out of a half-open connection by itself (row 15)', async () => {
      const queueing = await connect(server.broken.config, { bootMs: 3_000 });
      const direct = await connect();
      const queue = newQueue();
      const { seen } = await collect(queueing, queue);
      server.broken.cut();
      await new Promise((resolve) => setTimeout(resolve, 300));
      server.broken.mend();
      const [message] = shards(1) as [ShardMessage];
      await direct.publish(queue, [message]);
      await expect.poll(() => seen, { timeout: 10_000 }).toEqual([message]);
    });

    it('closes while the server is away (row 60)', async () => {
      const queueing = await connect();
      const { consumer } = await collect(queueing, newQueue());
      await queueing.publish(newQueue(), shards(1));
      await expect.poll(() => Date.now() - consumer.lastActivityAt).toBeLessThan(500);
      await server.stop();
      try {
        const started = performance.now();
        await queueing.close();
        expect(performance.now() - started).toBeLessThan(3_000);
      } finally {
        await server.start();
      }
    });

    it('leaves nothing behind that keeps the process alive', async () => {
      const child = forkModule(new URL('./use-and-close.fixture.ts', import.meta.url), [
        JSON.stringify(server.config),
        newQueue(),
        JSON.stringify(QUICK),
      ]);
      const code = await new Promise((resolve) => {
        child.once('exit', resolve);
        setTimeout(() => resolve('still running'), 10_000).unref();
      });
      child.kill('SIGKILL');
      expect(code).toBe(0);
    });

    it('keeps a message while its handler runs longer than the lock', async () => {
      const settings = { lockMs: 800, stalledMs: 200 };
      const [one, two] = [await connect(server.config, settings), await connect(server.config, settings)];
      const queue = newQueue();
      const seen: ShardMessage[] = [];
      const handler = async (message: ShardMessage) => {
        seen.push(message);
        await new Promise((resolve) => setTimeout(resolve, 1_600));
      };
      await Promise.all([one.consume(queue, { concurrency: 1 }, handler), two.consume(queue, { concurrency: 1 }, handler)]);
      const messages = shards(1);
      await one.publish(queue, messages);
      await allGone(one, queue, messages);
      expect(seen).toEqual(messages);
    });

    it('waits for handlers when it closes, but not for ever (row 60)', async () => {
      const queueing = await connect();
      const queue = newQueue();
      const { opened, release } = gate();
      const consumer: Consumer = await queueing.consume(queue, { concurrency: 1 }, () => opened);
      const messages = shards(1);
      await queueing.publish(queue, messages);
      await expect.poll(() => consumer.running).toBe(1);
      setTimeout(release, 200);
      await consumer.close(3_000);
      expect(consumer.running).toBe(0);
      // It ended in time, so it was acknowledged.
      expect(await queueing.findMissing(queue, messages)).toEqual(messages);

      const stuck = await queueing.consume(queue, { concurrency: 1 }, () => new Promise<void>(() => undefined));
      await queueing.publish(queue, messages);
      await expect.poll(() => stuck.running).toBe(1);
      const started = performance.now();
      await stuck.close(300);
      expect(performance.now() - started).toBeLessThan(3_000);
    });
  });
}
