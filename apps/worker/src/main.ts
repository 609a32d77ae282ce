import { queueBackend } from '@kiln/contracts';
import { openDatabase } from '@kiln/database';
import { createEngine, echoPublication, FileMemo, ModelProber, type ProbedScan, type Provider, scanModels } from '@kiln/inference';
import { createMetrics, serveMetrics } from '@kiln/observability';
import { openQueueing } from '@kiln/queue';
import { createSandbox } from '@kiln/sandbox';
import { requireDatabaseUrl, runService } from '@kiln/service';
import { type RunConfined } from '@kiln/scoring';
import { availableParallelism } from 'node:os';
import { createWorker } from './create-worker.js';
import { Slots } from './slots.js';

/** A worker that neither took up a message nor got a heartbeat through for this long is stuck, not idle. */
const STUCK_MS = 120_000;

await runService('worker', async ({ config, log }) => {
  const metrics = createMetrics('worker');
  const databaseUrl = requireDatabaseUrl(config);
  const onIdleError = (error: Error): void => log.warn({ err: error }, 'a database connection was lost');
  const { max_connections: max, statement_timeout_ms: statementTimeoutMs } = config.database;
  const db = openDatabase(databaseUrl, { max, statementTimeoutMs, applicationName: 'kiln-worker', onIdleError });
  const leaseDb = openDatabase(databaseUrl, {
    max: 1,
    statementTimeoutMs: config.lease.heartbeat_ms,
    applicationName: 'kiln-worker leases',
    onIdleError,
  });
  const queueing = await openQueueing(queueBackend(config), { logger: log, metrics });
  const { pool } = config.worker;
  const threads = config.worker.threads === 0 ? availableParallelism() : config.worker.threads;
  const provider: Provider =
    config.worker.provider === 'cuda' ? { kind: 'cuda', deviceId: config.worker.device_id } : { kind: config.worker.provider };
  const engine = createEngine({
    kinds: ['onnx', 'openai', 'echo'],
    modelDir: config.model_dir,
    provider,
    threads,
    maxBatch: config.worker.max_batch,
    kvCacheBytes: config.worker.kv_cache_bytes,
    weightCacheBytes: config.worker.weight_cache_bytes,
    onCrash: (crash) => {
      metrics.childRestarts.inc({ engine: crash.kind, reason: crash.hung ? 'hung' : 'crash' });
      log.error({ err: crash }, 'an engine ended');
    },
    onStderr: (kind, text) => log.warn({ engine: kind, text }, 'an engine wrote to standard error'),
  });
  // A device that cannot be reached is noticed here, not by the first job.
  if (provider.kind !== 'cpu') await engine.start('onnx');
  const memo = new FileMemo();
  const prober = new ModelProber(engine, (model) => log.info({ model }, 'loading a model to find out how it is run'));
  const scan = async (): Promise<ProbedScan> => {
    const { models, rejected } = await prober.complete(await scanModels(config.model_dir, { pool, provider, memo }));
    return { models: [echoPublication(pool), ...models], rejected };
  };
  const sandbox = createSandbox(config.sandbox);
  const availability = await sandbox.available();
  if (!availability.ok) log.warn({ code: availability.code }, availability.message);
  else if (availability.warning !== null) log.warn(availability.warning);
  // A sandboxed program is a process with a core of its own to keep busy.
  const sandboxes = new Slots(availableParallelism());
  const runConfined: RunConfined = (program, signal) => sandboxes.use(() => sandbox.runConfined(program, signal));
  const worker = await createWorker({
    config,
    db,
    leaseDb,
    queueing,
    engine,
    scan,
    runConfined: availability.ok ? runConfined : null,
    metrics,
    log,
  });
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
      await leaseDb.close();
      metrics.close();
    },
  };
});
