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

/**
 * Renews all leases of this worker in one statement per beat and aborts what was stopped or lost. Cancellation needs no other
 * way to arrive. A lease that could not be renewed for its whole time is given up before another worker can take it: the
 * monotonic clock here can only give up earlier than the database's.
 */
export class LeaseKeeper {
  readonly #held = new Map<string, { lease: Lease; abort: AbortController; renewedAt: number }>();
  readonly #timer: NodeJS.Timeout;
  #beating = false;

  constructor(
    private readonly db: Database,
    private readonly options: { ttlMs: number; beatMs: number },
    private readonly log: Logger,
    private readonly events: { onLost: () => void; onRenewed: (count: number) => void },
  ) {
    this.#timer = setInterval(() => void this.beat(), options.beatMs);
  }

  hold(lease: Lease): HeldShard {
    const abort = new AbortController();
    this.#held.set(lease.shardId, { lease, abort, renewedAt: performance.now() });
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
      for (const held of asked) if (performance.now() - held.renewedAt > this.options.ttlMs) this.#lose(held);
    } finally {
      this.#beating = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #lose(held: { lease: Lease; abort: AbortController }): void {
    // Ended or dropped while the statement ran: nothing was lost.
    if (this.#held.get(held.lease.shardId) !== held || held.abort.signal.aborted) return;
    this.log.warn({ shard: held.lease.shardId, job: held.lease.jobId }, 'lease lost');
    this.events.onLost();
    held.abort.abort('lost');
  }
}
