import { queueBackend } from '@kiln/contracts';
import { openDatabase } from '@kiln/database';
import { createEngine, scanModels } from '@kiln/inference';
import { createMetrics, serveMetrics } from '@kiln/observability';
import { openQueueing } from '@kiln/queue';
import { requireDatabaseUrl, runService } from '@kiln/service';
import { createWorker } from './create-worker.js';

/** A worker that neither took up a message nor got a heartbeat through for this long is stuck, not idle. */
const STUCK_MS = 120_000;

await runService('worker', async ({ config, log }) => {
  const metrics = createMetrics('worker');
  const db = openDatabase(requireDatabaseUrl(config), {
    max: config.database.max_connections,
    statementTimeoutMs: config.database.statement_timeout_ms,
    applicationName: 'kiln-worker',
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  const queueing = await openQueueing(queueBackend(config), { logger: log, metrics });
  const { pool, threads } = config.worker;
  const engine = createEngine({ modelDir: config.model_dir, pool, threads, log, metrics });
  const scan = () => scanModels(config.model_dir, { pool, threads });
  const worker = await createWorker({ config, db, queueing, engine, scan, metrics, log });
  const server = await serveMetrics({ port: config.worker.metrics_port, host: config.host }, metrics.registry, {
    alive: () => (Date.now() - worker.lastProgressAt() > STUCK_MS ? 'no heartbeat and no message for two minutes' : null),
    ready: () => db.query('SELECT 1').then(() => null),
  });
  log.info({ worker: worker.id, port: server.port }, 'metrics');
  return {
    async stop() {
      await worker.stop();
      await engine.close();
      await queueing.close();
      await server.close();
      await db.close();
      metrics.close();
    },
  };
});
