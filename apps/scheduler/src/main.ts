import { queueBackend } from '@kiln/contracts';
import { openDatabase } from '@kiln/database';
import { createMetrics, serveMetrics } from '@kiln/observability';
import { openQueueing } from '@kiln/queue';
import { requireDatabaseUrl, runService } from '@kiln/service';
import { createScheduler } from './create-scheduler.js';

await runService('scheduler', async ({ config, log }) => {
  const databaseUrl = requireDatabaseUrl(config);
  const metrics = createMetrics('scheduler');
  const db = openDatabase(databaseUrl, {
    max: config.database.max_connections,
    statementTimeoutMs: config.database.statement_timeout_ms,
    applicationName: 'kiln-scheduler',
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  const queueing = await openQueueing(queueBackend(config), { logger: log, metrics });
  const scheduler = createScheduler({ config, databaseUrl, db, queueing, metrics, log });
  const server = await serveMetrics({ port: config.scheduler.metrics_port, host: config.host }, metrics.registry, {
    alive: () => null,
    ready: () => db.query('SELECT 1').then(() => null),
  });
  log.info({ port: server.port }, 'metrics');
  return {
    async stop() {
      await scheduler.stop();
      await queueing.close();
      await server.close();
      await db.close();
      metrics.close();
    },
  };
});
