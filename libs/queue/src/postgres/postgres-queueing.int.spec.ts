import { startFaultProxy, startPostgres } from '@kiln/testing';
import { describeQueueing, type QueueServer } from '../queueing-conformance.fixture.js';
import { migrateQueue } from './migrate-queue.js';
import { queryOnce } from './query-once.fixture.js';

describeQueueing('Postgres', async () => {
  const postgres = await startPostgres();
  const url = await postgres.createEmptyDatabase();
  await migrateQueue(url);
  const proxy = await startFaultProxy(postgres.port);
  const behindProxy = new URL(url);
  behindProxy.port = String(proxy.port);
  const server: QueueServer = {
    config: { backend: 'postgres', url },
    broken: {
      config: { backend: 'postgres', url: behindProxy.href },
      cut: () => (proxy.mode = 'blackHole'),
      mend: () => (proxy.mode = 'pass'),
    },
    stop: () => postgres.stop('fast'),
    start: () => postgres.start(),
    forget: async () => void (await queryOnce(url, 'TRUNCATE bullmq.job, bullmq.meta, bullmq.event CASCADE')),
    dropConnections: async () => {
      await postgres.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [new URL(url).pathname.slice(1)]);
    },
    count: async () => (await queryOnce<{ n: number }>(url, 'SELECT count(*)::int AS n FROM bullmq.job'))[0]?.n ?? -1,
  };
  return { server, close: () => proxy.close() };
});
