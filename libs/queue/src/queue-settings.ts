import { type DefaultJobOptions } from 'bullmq';

/** Times in ms. The defaults are for production; tests shorten them. */
export interface QueueSettings {
  /** How long a delivered message stays with a consumer that does not renew it. Long, because a lock decides nothing here. */
  lockMs: number;
  /** How often consumers look for such messages. Worst recovery is lock + 2 × this; leases in Postgres are faster. */
  stalledMs: number;
  /** Pause after a connection error. BullMQ's 15 s would be the time to recover. */
  retryMs: number;
  /** How long an idle consumer waits for a message before it asks again; also its heartbeat in `lastActivityAt`. */
  idlePollMs: number;
  /** How long a server may take to become ready at start. */
  bootMs: number;
  /** How long a publisher keeps trying, and one question may take. */
  publishMs: number;
  /** A socket that is silent this long although an answer is due counts as dead (a half-open connection). */
  socketMs: number;
}

export const DEFAULT_SETTINGS: Readonly<QueueSettings> = {
  lockMs: 60_000,
  stalledMs: 30_000,
  retryMs: 2_000,
  idlePollMs: 5_000,
  bootMs: 10_000,
  publishMs: 10_000,
  socketMs: 30_000,
};

/**
 * A lost consumer costs a message one of these; above it BullMQ drops the message at its next delivery, and the reconciler
 * sends the shard again.
 */
export const MAX_STALLED_COUNT = 2;

/** The end of a queue's own event list, which nobody here reads: events are lost under load, so nothing may depend on them. */
export const EVENTS_KEPT = 100;

/**
 * One retry authority: BullMQ never tries again and keeps nothing, neither done nor failed (keeping by count slows its Postgres
 * backend three times). `sizeLimit` in bytes: a message names a shard and carries nothing else.
 */
export const MESSAGE_OPTIONS: Readonly<DefaultJobOptions> = { attempts: 1, removeOnComplete: true, removeOnFail: true, sizeLimit: 1024 };
