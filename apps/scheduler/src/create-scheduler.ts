import { type Config } from '@kiln/contracts';
import {
  type Database,
  finishableJobs,
  isTransient,
  type Leadership,
  pruneIdempotentResponses,
  pruneOutbox,
  pruneReservations,
  takeOutbox,
  tryLead,
} from '@kiln/database';
import { type Logger, type Metrics } from '@kiln/observability';
import { type Queueing } from '@kiln/queue';
import { dispatch } from './dispatcher.js';
import { finalizeJob } from './finalize-job.js';
import { setGauges } from './gauges.js';
import { Loop } from './loop.js';
import { OUTBOX_HANDLERS } from './outbox-handlers.js';
import { reconcile } from './reconciler.js';

const LEAD_MS = 2_000;
const OUTBOX_MS = 500;
const DISPATCH_MS = 250;
const FINALIZE_MS = 1_000;
const RECONCILE_MS = 1_000;
const GAUGES_MS = 10_000;
const PRUNE_MS = 3_600_000;
const OUTBOX_BATCH = 500;
/** Rows that only retries and late readers need are kept this long. */
const KEPT_DAYS = 7;
/** Jobs finalized in one pass; the next pass goes on. */
const FINALIZE_BATCH = 20;

export interface SchedulerParts {
  config: Config;
  databaseUrl: string;
  db: Database;
  queueing: Queueing;
  metrics: Metrics;
  log: Logger;
}

export interface Scheduler {
  isLeader(): boolean;
  stop(): Promise<void>;
}

/** Starts a scheduler: it tries to lead, and while it leads it runs the loops. Several may run; one leads. */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { db, queueing, config, metrics, log, databaseUrl } = parts;
  const { ttl_ms: ttlMs, heartbeat_ms: beatMs } = config.lease;
  const aliveMs = beatMs * 3;
  const loop = (name: string, everyMs: number, work: () => Promise<unknown>): Loop =>
    new Loop(name, everyMs, async () => void (await work()), log);

  const dispatching = loop('dispatch', DISPATCH_MS, () => dispatch(db, queueing, aliveMs));
  const finalizing = loop('finalize', FINALIZE_MS, async () => {
    let failure: unknown;
    for (const jobId of await finishableJobs(db, FINALIZE_BATCH)) {
      try {
        const state = await finalizeJob(db, jobId, metrics, log);
        if (state) log.info({ job: jobId, state }, 'job finished');
      } catch (error) {
        if (isTransient(error)) throw error;
        // The oldest comes first in every pass: one that cannot be finished must not keep the others from their end.
        log.warn({ err: error, job: jobId }, 'the job could not be finished yet');
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
  });
  const reconciling = loop('reconcile', RECONCILE_MS, async () => {
    const end = metrics.reconcileDuration.startTimer();
    if ((await reconcile({ db, queueing, metrics, stuckMs: ttlMs, deadMs: ttlMs * 4 })) > 0) {
      dispatching.wake();
      finalizing.wake();
    }
    end();
  });
  const wakeable = {
    dispatch: () => dispatching.wake(),
    finalize: () => finalizing.wake(),
    reconcile: () => reconciling.wake(),
  };
  const relaying = loop('outbox', OUTBOX_MS, async () => {
    const entries = await takeOutbox(db, OUTBOX_BATCH);
    for (const topic of new Set(entries.map((entry) => entry.topic))) OUTBOX_HANDLERS[topic](wakeable);
    if (entries.length === OUTBOX_BATCH) relaying.wake();
  });
  const loops = [
    relaying,
    dispatching,
    finalizing,
    reconciling,
    loop('gauges', GAUGES_MS, () => setGauges(db, metrics)),
    loop('prune', PRUNE_MS, async () => {
      await pruneOutbox(db, KEPT_DAYS);
      await pruneIdempotentResponses(db, KEPT_DAYS);
      await pruneReservations(db);
    }),
  ];

  let leadership: Leadership | null = null;
  const lead = loop('lead', LEAD_MS, async () => {
    if (leadership) return;
    const onLost = (): void => {
      leadership = null;
      metrics.schedulerIsLeader.set(0);
      log.warn('no longer the leader');
      for (const each of loops) void each.stop();
      lead.wake();
    };
    leadership = await tryLead(databaseUrl, () => relaying.wake(), onLost);
    metrics.schedulerIsLeader.set(leadership ? 1 : 0);
    if (!leadership) return;
    log.info('leading');
    for (const each of loops) each.start();
  });
  lead.start();

  return {
    isLeader: () => leadership !== null,
    async stop() {
      await lead.stop();
      await Promise.all(loops.map((each) => each.stop()));
      await leadership?.release();
    },
  };
}
