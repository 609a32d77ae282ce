import { type StopReason } from '@kiln/contracts';
import { type SampleBound } from './sample-bound.js';
import { MAX_CRASHES, MAX_STARTS, type ShardEnd, SINGLY_AFTER } from './shard-state.js';

/** Everything that a claim reads, under its locks. */
export interface ClaimFacts {
  shard: { dispatched: boolean; starts: number; crashes: number; count: number; recorded: number };
  job: {
    terminal: boolean;
    stopReason: StopReason | null;
    cancelRequested: boolean;
    /** The halt epoch under which the job was admitted differs from the one in force. */
    halted: boolean;
    k: number;
    /** Leases at once over the whole fleet; null for no limit of its own. */
    concurrency: number | null;
    leased: number;
  };
  bound: SampleBound;
  /** What is left under each cap; null where there is no cap. */
  left: { costNano: bigint | null; tokens: bigint | null };
  /** Somebody else of this job holds a reservation, which may come back. */
  othersHold: boolean;
}

export type ClaimDecision =
  /** Not ours to start, or not any more: acknowledge the message and forget it. */
  | { action: 'ignore' }
  /** The shard is done: nothing of it is missing, or its work must not start and what is missing is `not_run`. */
  | { action: 'end'; reason: ShardEnd; capped?: 'cost_cap' | 'token_cap' }
  /** Back to waiting: room may appear. */
  | { action: 'wait' }
  /** Lease the first `count` examples (the rest becomes another shard) and generate what is missing. */
  | { action: 'lease'; count: number }
  /** Lease it, and record what is missing as `error`. */
  | { action: 'give_up'; reason: 'start_limit' | 'crash_limit' };

/** Decides a claim; the caller applies it in the transaction that read the facts. */
export function decideClaim(facts: ClaimFacts): ClaimDecision {
  const { shard, job } = facts;
  if (!shard.dispatched) return { action: 'ignore' };
  // A part that a split cut off may be complete: a lease on it would never see a last sample.
  if (shard.recorded >= shard.count * job.k) return { action: 'end', reason: 'completed' };
  if (job.halted) return { action: 'end', reason: 'halted' };
  if (job.cancelRequested || job.terminal) return { action: 'end', reason: 'cancelled' };
  if (job.stopReason !== null) return { action: 'end', reason: stopEnd(job.stopReason) };
  if (job.concurrency !== null && job.leased >= job.concurrency) return { action: 'wait' };
  if (shard.crashes >= MAX_CRASHES && shard.count === 1) return { action: 'give_up', reason: 'crash_limit' };
  if (shard.starts >= MAX_STARTS) return { action: 'give_up', reason: 'start_limit' };

  const wanted = shard.crashes >= SINGLY_AFTER ? 1 : shard.count;
  const affordable = affordableExamples(facts);
  if (affordable.examples >= wanted) return { action: 'lease', count: wanted };
  if (affordable.examples > 0) return { action: 'lease', count: affordable.examples };
  if (facts.othersHold) return { action: 'wait' };
  return { action: 'end', reason: 'capped', capped: affordable.cap };
}

export function stopEnd(reason: StopReason): Exclude<ShardEnd, 'completed'> {
  return reason === 'cost_cap' || reason === 'token_cap' ? 'capped' : reason;
}

/**
 * Whole examples whose worst case fits under every cap. A partly recorded shard reserves for its missing samples only; when it
 * must be split, each part is counted at full price, which errs on the safe side.
 */
function affordableExamples({ shard, job, bound, left }: ClaimFacts): { examples: number; cap: 'cost_cap' | 'token_cap' } {
  const missing = BigInt(shard.count * job.k - shard.recorded);
  const fits = (available: bigint | null, price: bigint): number => {
    if (available === null || price === 0n || missing * price <= available) return shard.count;
    const whole = available / (price * BigInt(job.k));
    return Number(whole > BigInt(shard.count - 1) ? BigInt(shard.count - 1) : whole < 0n ? 0n : whole);
  };
  const byCost = fits(left.costNano, bound.costNano);
  const byTokens = fits(left.tokens, bound.tokens);
  return byCost <= byTokens ? { examples: byCost, cap: 'cost_cap' } : { examples: byTokens, cap: 'token_cap' };
}
