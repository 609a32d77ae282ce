import { type Config } from '@kiln/contracts';
import { claimShard, type Database, drainWorker, removeWorker, retryTransient } from '@kiln/database';
import { type Generator, type ProbedScan } from '@kiln/inference';
import { type Logger, logFor, type Metrics } from '@kiln/observability';
import { type Queueing, type ShardMessage } from '@kiln/queue';
import { SINGLY_AFTER } from '@kiln/running';
import { type RunConfined } from '@kiln/scoring';
import { hostname } from 'node:os';
import { v7 as uuid } from 'uuid';
import { Isolation } from './isolation.js';
import { LeaseKeeper } from './lease-keeper.js';
import { LoadedTargets } from './loaded-targets.js';
import { ModelPublisher } from './model-publisher.js';
import { runShard } from './run-shard.js';
import { ScorerCache } from './scorer-cache.js';
import { ShardConsumers } from './shard-consumers.js';
import { type ShardTools } from './shard-tools.js';
import { Slots } from './slots.js';
import { SuiteHeaders } from './suite-headers.js';
import { TraceIds } from './trace-ids.js';
import { WorkerMetrics } from './worker-metrics.js';

/** How long running shards may go on after a stop was asked for, before they are given back. */
const DRAIN_MS = 5_000;

export interface WorkerParts {
  config: Config;
  db: Database;
  /** Renews leases: never waits behind results for a connection, and gives up soon. */
  leaseDb: Database;
  queueing: Queueing;
  engine: Generator;
  scan: () => Promise<ProbedScan>;
  /** Runs code of suites and models; null where no sandbox can be had. */
  runConfined: RunConfined | null;
  metrics: Metrics;
  log: Logger;
}

export interface Worker {
  id: string;
  /** When a message was last taken up or a beat last succeeded, ms since 1970: what liveness asks. */
  lastProgressAt(): number;
  /** Takes nothing new, gives back what does not end soon, and leaves the record. */
  stop(): Promise<void>;
}

/** Admission sends no code here; a shard that a judge brought along may still hold some. */
const NO_SANDBOX: RunConfined = async () => ({
  ok: false,
  code: 'sandbox_unavailable',
  message: 'this worker has no sandbox; its log says at the start what is missing',
});

/** Starts a worker: registers it, publishes its models, and consumes their queues. */
export async function createWorker(parts: WorkerParts): Promise<Worker> {
  const { config, db, queueing, engine, log } = parts;
  const id = uuid();
  const pool = config.worker.pool;
  const metrics = new WorkerMetrics(parts.metrics, pool);
  const slots = new Slots(config.worker.slots);
  const isolation = new Isolation();
  const leases = new LeaseKeeper(parts.leaseDb, { ttlMs: config.lease.ttl_ms, beatMs: config.lease.heartbeat_ms }, log, {
    onLost: () => metrics.leaseLost(),
    onRenewed: (count) => metrics.leasesRenewed(count),
  });
  const tools: ShardTools = {
    db,
    engine,
    targets: new LoadedTargets(db, engine),
    headers: new SuiteHeaders(db),
    scorers: new ScorerCache(db),
    traceIds: new TraceIds(),
    runConfined: parts.runConfined ?? NO_SANDBOX,
    metrics,
    retryMs: config.lease.ttl_ms * 2,
  };
  let draining = false;
  let lastProgressAt = Date.now();

  const handle = (message: ShardMessage): Promise<void> =>
    slots.use(async () => {
      lastProgressAt = Date.now();
      if (draining) return;
      metrics.slots(slots.size, slots.busy);
      const request = { ...message, workerId: id, leaseTtlMs: config.lease.ttl_ms };
      let claimedAt = 0;
      // A claim whose answer was lost leaves a lease that nobody works on; it expires.
      const claim = await retryTransient(
        () => {
          claimedAt = performance.now();
          return claimShard(db, request);
        },
        config.lease.ttl_ms,
        (error) => metrics.databaseRetried(error),
      );
      metrics.claimed(claim.outcome, claim.outcome === 'leased' ? claim.lease.waitedMs : null);
      if (claim.outcome !== 'leased') return;
      const { lease } = claim;
      const shardLog = logFor(log, { project: lease.projectId, job: lease.jobId, run: lease.runId, shard: lease.shardId });
      const held = leases.hold(lease, claimedAt);
      const suspect = lease.crashes >= SINGLY_AFTER && claim.giveUp === null;
      const result = await isolation.run(suspect, () => runShard(tools, lease, held, claim.giveUp, shardLog));
      metrics.shardEnded(result);
      shardLog.debug({ result, fence: lease.fence }, 'shard attempt ended');
      metrics.slots(slots.size, slots.busy - 1);
    });

  const consumers = new ShardConsumers(queueing, config.worker.slots, handle, log);
  const publisher = new ModelPublisher({
    db,
    worker: { id, pool, hostname: hostname(), pid: process.pid, slots: config.worker.slots },
    scan: parts.scan,
    sandboxed: parts.runConfined !== null,
    onQueues: async (queues) => {
      // A scan may end after the consumers were closed.
      if (!draining) await consumers.follow(queues);
    },
    log,
  });
  await publisher.register();

  let beating = false;
  const beat = async (): Promise<void> => {
    if (beating || draining) return;
    beating = true;
    try {
      await publisher.beat();
      await consumers.restartSilent(Date.now());
      lastProgressAt = Date.now();
    } catch (error) {
      log.warn({ err: error }, 'heartbeat failed');
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void beat(), config.lease.heartbeat_ms);
  await publisher.publish().catch((error: unknown) => {
    clearInterval(timer);
    throw error;
  });

  return {
    id,
    lastProgressAt: () => lastProgressAt,
    async stop() {
      draining = true;
      clearInterval(timer);
      await drainWorker(db, id).catch((error: unknown) => log.warn({ err: error }, 'could not announce the stop'));
      const giveBack = setTimeout(() => leases.abortAll('draining'), DRAIN_MS);
      await consumers.close(DRAIN_MS * 2);
      clearTimeout(giveBack);
      leases.close();
      await removeWorker(db, id).catch((error: unknown) => log.warn({ err: error }, 'could not leave the record'));
    },
  };
}
