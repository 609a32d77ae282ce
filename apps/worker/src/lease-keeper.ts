import { type Database, heartbeatShards, type Lease } from '@kiln/database';
import { type Logger } from '@kiln/observability';

/** Why a shard's samples are aborted. */
export type AbortReason = 'cancelled' | 'halted' | 'lost' | 'draining';

export interface HeldShard {
  /** Aborted when the lease is lost or its job was stopped; its reason is an `AbortReason`. */
  signal: AbortSignal;
  /** Stops renewing: the shard was ended or given back. */
  drop(): void;
}

/** Expiry is looked for more often than renewed: a worker that is cut off has to let go in time. */
const WATCHES_PER_BEAT = 4;

interface Held {
  lease: Lease;
  abort: AbortController;
  /** When the latest successful claim or renewal was asked for, on this process's monotonic clock. */
  renewedAt: number;
}

/**
 * Renews all leases of this worker in one statement per beat and aborts what was stopped or lost. Cancellation needs no other
 * way to arrive. A lease that could not be renewed is given up before another worker can take it: its time is counted here from
 * when the renewal was asked for, which is before the database set it, and a beat that hangs keeps nobody from looking.
 */
export class LeaseKeeper {
  readonly #held = new Map<string, Held>();
  readonly #timers: NodeJS.Timeout[];
  #beating = false;

  constructor(
    private readonly db: Database,
    private readonly options: { ttlMs: number; beatMs: number },
    private readonly log: Logger,
    private readonly events: { onLost: () => void; onRenewed: (count: number) => void },
  ) {
    this.#timers = [
      setInterval(() => void this.beat(), options.beatMs),
      setInterval(() => this.#giveUpExpiring(), options.beatMs / WATCHES_PER_BEAT),
    ];
  }

  /** @param claimedAt `performance.now()` when the claim was sent */
  hold(lease: Lease, claimedAt: number): HeldShard {
    const abort = new AbortController();
    this.#held.set(lease.shardId, { lease, abort, renewedAt: claimedAt });
    return { signal: abort.signal, drop: () => this.#held.delete(lease.shardId) };
  }

  /** Aborts every shard: the worker stops. */
  abortAll(reason: AbortReason): void {
    for (const { abort } of this.#held.values()) abort.abort(reason);
  }

  async beat(): Promise<void> {
    if (this.#beating || this.#held.size === 0) return;
    this.#beating = true;
    const asked = [...this.#held.values()];
    const askedAt = performance.now();
    try {
      const answers = await heartbeatShards(
        this.db,
        asked.map(({ lease }) => lease),
        this.options.ttlMs,
      );
      this.events.onRenewed(answers.length);
      const byShard = new Map(answers.map((answer) => [answer.shardId, answer]));
      for (const held of asked) {
        const answer = byShard.get(held.lease.shardId);
        if (answer) held.renewedAt = askedAt;
        if (!answer) this.#lose(held);
        else if (answer.stop) held.abort.abort(answer.stop);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'leases could not be renewed');
    } finally {
      this.#beating = false;
    }
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Those that would expire before this looks again. */
  #giveUpExpiring(): void {
    const { ttlMs, beatMs } = this.options;
    const now = performance.now();
    for (const held of this.#held.values()) {
      if (now - held.renewedAt >= ttlMs - beatMs / WATCHES_PER_BEAT) this.#lose(held);
    }
  }

  #lose(held: Held): void {
    // Ended or dropped while the statement ran: nothing was lost.
    if (this.#held.get(held.lease.shardId) !== held || held.abort.signal.aborted) return;
    this.log.warn({ shard: held.lease.shardId, job: held.lease.jobId }, 'lease lost');
    this.events.onLost();
    held.abort.abort('lost');
  }
}
