import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { observeEventLoopDelay } from './event-loop-delay.js';

const MILLISECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const WAITS = [0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 3600];
const ATTEMPTS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const DELAYS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15];

export interface BuildInfo {
  version: string;
  commit: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Every metric of Kiln Fleet, in a registry of its own: two services in one process, or two tests, never share a counter.
 *
 * Rules: prefix `kiln_`, base units, `_total` on counters. A label has few values for ever: pools, states and reasons, never an
 * id of a job, a run, an example or a model. Gauges that describe shared state (shards, outbox, budgets) are set by the leading
 * scheduler alone, the others by each process about itself.
 */
export function createMetrics(service: string, build: BuildInfo = { version: 'unknown', commit: 'unknown' }) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const { counter, gauge, histogram } = makers(registry);

  const eventLoopDelay = histogram('event_loop_delay_seconds', 'How late a 100 ms timer fires.', [], DELAYS);
  const stopObserving = observeEventLoopDelay(eventLoopDelay);
  gauge('build_info', 'Always 1; the labels say what runs.', ['version', 'commit', 'node']).set({ ...build, node: process.version }, 1);

  return {
    registry,
    admissionRequests: counter('admission_requests_total', 'Requests to admit a job.', ['kind', 'outcome']),
    admissionDuration: histogram('admission_duration_seconds', 'From the request to the commit of its job.', ['kind'], MILLISECONDS),
    shards: gauge('shards', 'Unfinished shards by state (leader only).', ['state', 'pool']),
    queueOldestAge: gauge('queue_oldest_age_seconds', 'Age of the oldest shard that waits (leader only).', ['pool']),
    queueWait: histogram('queue_wait_seconds', 'From admission to the claim of a shard.', ['pool'], WAITS),

    dispatches: counter('dispatch_total', 'Shards handed to the queue.', ['pool']),
    redispatches: counter('redispatch_total', 'Shards taken back for another dispatch.', ['reason']),
    outboxUnpublished: gauge('outbox_unpublished', 'Facts in the outbox that nobody has taken yet (leader only).', []),
    outboxOldestAge: gauge('outbox_oldest_age_seconds', 'Age of the oldest of them (leader only).', []),
    publishFailures: counter('outbox_publish_failures_total', 'Attempts to publish that failed and were tried again or given up.', [
      'topic',
    ]),
    stalledMessages: counter('stalled_messages_total', 'Messages taken back from a consumer that stopped renewing their lock.', ['pool']),

    claims: counter('claims_total', 'Claims of a delivered shard by result.', ['result']),
    attempts: counter('attempts_total', 'Samples attempted by outcome.', ['outcome']),
    traceReuse: counter('trace_reuse_total', 'Samples for which stored traces were looked up: reused, deferred or generated.', ['result']),
    leaseRenewals: counter('lease_renewals_total', 'Leases renewed by heartbeat.', []),
    leasesLost: counter('lease_lost_total', 'Leases that ended before their shard did.', ['reason']),
    staleWrites: counter('stale_writes_total', 'Writes refused because their fence was old.', ['reason']),

    inferenceDuration: histogram('inference_duration_seconds', 'Generation of one sample inside the engine.', ['engine'], ATTEMPTS),
    tokens: counter('tokens_total', 'Tokens read and written.', ['direction', 'purpose']),
    childRestarts: counter('inference_child_restarts_total', 'Engine processes forked anew.', ['engine', 'reason']),
    slots: gauge('slots', 'Shards this worker can work on at a time.', ['pool']),
    slotsBusy: gauge('slots_busy', 'Shards this worker works on.', ['pool']),

    budgetCap: gauge('budget_cap_units', 'Sum of the caps of live jobs (leader only).', ['scope', 'unit']),
    budgetReserved: gauge('budget_reserved_units', 'Reserved by live attempts (leader only).', ['scope', 'unit']),
    budgetSpent: gauge('budget_spent_units', 'Spent by live jobs (leader only).', ['scope', 'unit']),
    budgetOvershoot: counter('budget_overshoot_units_total', 'Spent beyond what an attempt had reserved.', ['scope', 'unit']),
    runsFinished: counter('runs_finished_total', 'Runs that reached their end.', ['kind', 'terminal']),

    schedulerIsLeader: gauge('scheduler_is_leader', '1 in the leading scheduler.', []),
    reconcileDuration: histogram('scheduler_reconcile_duration_seconds', 'One pass of the reconciler.', [], MILLISECONDS),
    reconcileRepairs: counter('reconcile_repairs_total', 'Invariants that a reconciler pass had to repair.', ['invariant']),

    dbRetries: counter('db_retries_total', 'Transactions run again.', ['sqlstate_class']),
    clockSkew: gauge('clock_skew_seconds', 'Clock of this process minus clock of the database.', []),
    httpRequests: counter('http_requests_total', 'Answers by route template and status.', ['method', 'route', 'status']),
    httpDuration: histogram(
      'http_request_duration_seconds',
      'From the request to the end of its answer.',
      ['method', 'route'],
      [...MILLISECONDS, 15, 60],
    ),
    eventLoopDelay,

    /** All metrics in Prometheus text format. Reads memory only. */
    text: (): Promise<string> => registry.metrics(),
    /** Stops the timer behind the event loop delay. */
    close: (): void => {
      stopObserving();
      registry.clear();
    },
  };
}

function makers(registry: Registry) {
  const common = (name: string, help: string) => ({ name: `kiln_${name}`, help, registers: [registry] });
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Counter<Label>({ ...common(name, help), labelNames }),
    gauge: <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Gauge<Label>({ ...common(name, help), labelNames }),
    histogram: <Label extends string>(name: string, help: string, labelNames: readonly Label[], buckets: number[]) =>
      new Histogram<Label>({ ...common(name, help), labelNames, buckets }),
  };
}
