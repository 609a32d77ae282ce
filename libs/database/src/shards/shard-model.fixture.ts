/*
 * The record of one job with one run as a few plain objects: what the SQL must come to, command by command. Written from the
 * rules, not from the SQL and not from `decideClaim`, and kept small enough to be seen to be right.
 */

export interface ModelJob {
  examples: number;
  k: number;
  shardExamples: number;
  concurrency: number | null;
  costCap: number | null;
  costBound: number;
}

export interface ModelShard {
  first: number;
  count: number;
  state: 'waiting' | 'dispatched' | 'leased' | 'done';
  dispatch: number;
  fence: number;
  starts: number;
  crashes: number;
  /** Recorded samples, `ordinal:index`. */
  recorded: Set<string>;
  end: string | null;
  held: number;
  /** What one sample of the present lease holds. */
  heldPerSample: number;
}

/** A message, or a lease that was given once: names of something that may have moved on. */
export interface Ticket {
  /** First ordinal of its shard, which never changes and names it. */
  first: number;
  number: number;
}

export type ModelClaim = { outcome: 'ignore' | 'wait' | 'end' } | { outcome: 'leased'; count: number; giveUp: string | null };

export class ShardModel {
  readonly shards = new Map<number, ModelShard>();
  state = 'queued';
  stopReason: string | null = null;
  halted = false;
  cancelRequested = false;
  spent = 0;
  readonly #ledger = new Set<string>();

  constructor(readonly job: ModelJob) {
    for (let first = 0; first < job.examples; first += job.shardExamples) {
      this.#add(first, Math.min(job.shardExamples, job.examples - first), { fence: 0, starts: 0, crashes: 0 });
    }
  }

  get held(): number {
    return [...this.shards.values()].reduce((sum, shard) => sum + shard.held, 0);
  }

  /** First ordinals of the shards that `limit` dispatches give out. */
  dispatch(limit: number): Ticket[] {
    const next = [...this.shards.values()].filter((shard) => shard.state === 'waiting').toSorted((a, b) => a.first - b.first);
    return next.slice(0, limit).map((shard) => {
      shard.state = 'dispatched';
      shard.dispatch += 1;
      return { first: shard.first, number: shard.dispatch };
    });
  }

  undispatch(message: Ticket): void {
    const shard = this.shards.get(message.first)!;
    if (shard.state === 'dispatched' && shard.dispatch === message.number) shard.state = 'waiting';
  }

  claim(message: Ticket): ModelClaim {
    const shard = this.shards.get(message.first)!;
    if (shard.state !== 'dispatched' || shard.dispatch !== message.number) return { outcome: 'ignore' };
    const missing = shard.count * this.job.k - shard.recorded.size;
    if (missing === 0) return this.#end(shard, 'completed');
    if (this.halted) return this.#end(shard, 'halted');
    if (this.cancelRequested || this.#isTerminal()) return this.#end(shard, 'cancelled');
    if (this.stopReason !== null) return this.#end(shard, this.#shardEnd());
    const leased = [...this.shards.values()].filter((other) => other.state === 'leased').length;
    if (this.job.concurrency !== null && leased >= this.job.concurrency) return this.#wait(shard);
    if (shard.crashes >= 4 && shard.count === 1) return this.#lease(shard, 'crash_limit');
    if (shard.starts >= 3) return this.#lease(shard, 'start_limit');

    const { costCap, costBound, k } = this.job;
    let count = shard.count;
    if (costCap !== null && missing * costBound > costCap - this.spent - this.held) {
      const left = costCap - this.spent - this.held;
      count = Math.max(0, Math.min(shard.count - 1, Math.floor(left / (costBound * k))));
    }
    if (shard.crashes >= 2) count = Math.min(1, count);
    if (count === 0) {
      if (this.held > 0) return this.#wait(shard);
      this.stopReason ??= 'cost_cap';
      return this.#end(shard, 'capped');
    }
    if (count < shard.count) {
      this.#split(shard, this.#completeAtTheHead(shard) || count);
      if (shard.recorded.size === shard.count * k) return this.#end(shard, 'completed');
    }
    return this.#lease(shard, null);
  }

  holds(lease: Ticket): boolean {
    const shard = this.shards.get(lease.first)!;
    return shard.state === 'leased' && shard.fence === lease.number;
  }

  /** Samples that a lease may still record, in order. */
  missing(lease: Ticket): [number, number][] {
    const shard = this.shards.get(lease.first)!;
    return this.#samples(shard).filter(([ordinal, index]) => !shard.recorded.has(`${ordinal}:${index}`));
  }

  /** @returns false when it is refused as stale */
  record(lease: Ticket, part: number, samples: readonly [number, number][], cost: number, final: boolean): boolean {
    const write = `${lease.first} ${lease.number} ${part} sample`;
    if (this.#ledger.has(write)) return true;
    if (!this.holds(lease)) return false;
    this.#ledger.add(write);
    const shard = this.shards.get(lease.first)!;
    const fresh = samples.filter(([ordinal, index]) => !shard.recorded.has(`${ordinal}:${index}`));
    for (const [ordinal, index] of fresh) shard.recorded.add(`${ordinal}:${index}`);
    shard.held -= shard.heldPerSample * fresh.length;
    this.spent += cost;
    if (fresh.length > 0) shard.starts = 0;
    if (final) this.#end(shard, 'completed');
    return true;
  }

  waste(lease: Ticket, part: number, cost: number): void {
    const write = `${lease.first} ${lease.number} ${part} wasted`;
    if (!this.#ledger.has(write)) this.spent += cost;
    this.#ledger.add(write);
  }

  /** @returns false when it is refused as stale */
  giveBack(lease: Ticket, how: 'released' | 'crashed' | 'retry' | 'stopped'): boolean {
    if (!this.holds(lease)) return false;
    const shard = this.shards.get(lease.first)!;
    shard.held = 0;
    if (how === 'released' || how === 'crashed') shard.starts = Math.max(0, shard.starts - 1);
    if (how === 'crashed') shard.crashes += 1;
    if (how === 'stopped') this.#end(shard, 'cancelled');
    else shard.state = 'waiting';
    return true;
  }

  expire(lease: Ticket): void {
    if (!this.holds(lease)) return;
    const shard = this.shards.get(lease.first)!;
    shard.held = 0;
    shard.state = 'waiting';
  }

  cancel(): void {
    if (this.#isTerminal()) return;
    this.state = this.state === 'queued' ? 'cancelled' : 'cancelling';
    this.cancelRequested = true;
    this.stopReason ??= 'cancelled';
    this.sweep();
  }

  /** A panic and the mark that follows it. */
  halt(): void {
    this.halted = true;
    if (this.#isTerminal()) return;
    this.state = 'cancelling';
    this.stopReason = 'halted';
  }

  sweep(): void {
    if (this.stopReason === null) return;
    for (const shard of this.shards.values()) {
      if (shard.state === 'waiting' || shard.state === 'dispatched') this.#end(shard, this.#shardEnd());
    }
  }

  isFinishable(): boolean {
    return !this.#isTerminal() && [...this.shards.values()].every((shard) => shard.state === 'done');
  }

  finish(): void {
    this.state = this.stopReason === null ? 'completed' : this.stopReason === 'cost_cap' ? 'capped' : 'cancelled';
  }

  #isTerminal(): boolean {
    return ['completed', 'capped', 'cancelled', 'failed'].includes(this.state);
  }

  #shardEnd(): string {
    return this.stopReason === 'cost_cap' ? 'capped' : this.stopReason!;
  }

  #wait(shard: ModelShard): ModelClaim {
    shard.state = 'waiting';
    return { outcome: 'wait' };
  }

  #end(shard: ModelShard, reason: string): ModelClaim {
    Object.assign(shard, { state: 'done', end: reason, held: 0 });
    return { outcome: 'end' };
  }

  #lease(shard: ModelShard, giveUp: string | null): ModelClaim {
    shard.state = 'leased';
    shard.fence += 1;
    shard.starts += 1;
    shard.heldPerSample = giveUp === null ? this.job.costBound : 0;
    shard.held = shard.heldPerSample * (shard.count * this.job.k - shard.recorded.size);
    if (this.state === 'queued') this.state = 'running';
    return { outcome: 'leased', count: shard.count, giveUp };
  }

  #split(shard: ModelShard, count: number): void {
    const rest = this.#add(shard.first + count, shard.count - count, shard);
    shard.count = count;
    for (const sample of shard.recorded) {
      if (Number(sample.split(':')[0]) < rest.first) continue;
      shard.recorded.delete(sample);
      rest.recorded.add(sample);
    }
  }

  #completeAtTheHead(shard: ModelShard): number {
    const firstMissing = this.#samples(shard).find(([ordinal, index]) => !shard.recorded.has(`${ordinal}:${index}`));
    return firstMissing![0] - shard.first;
  }

  #samples(shard: ModelShard): [number, number][] {
    const samples: [number, number][] = [];
    for (let ordinal = shard.first; ordinal < shard.first + shard.count; ordinal += 1) {
      for (let index = 0; index < this.job.k; index += 1) samples.push([ordinal, index]);
    }
    return samples;
  }

  #add(first: number, count: number, history: Pick<ModelShard, 'fence' | 'starts' | 'crashes'>): ModelShard {
    const { fence, starts, crashes } = history;
    const shard: ModelShard = {
      first,
      count,
      fence,
      starts,
      crashes,
      state: 'waiting',
      dispatch: 0,
      recorded: new Set(),
      end: null,
      held: 0,
      heldPerSample: 0,
    };
    this.shards.set(first, shard);
    return shard;
  }
}
