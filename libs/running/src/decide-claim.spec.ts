import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClaimDecision, type ClaimFacts, decideClaim, stopEnd } from './decide-claim.js';
import { MAX_CRASHES, MAX_STARTS, SINGLY_AFTER } from './shard-state.js';

interface Changes {
  shard?: Partial<ClaimFacts['shard']>;
  job?: Partial<ClaimFacts['job']>;
  bound?: Partial<ClaimFacts['bound']>;
  left?: Partial<ClaimFacts['left']>;
  othersHold?: boolean;
}

/** A dispatched shard of four examples, one completion each, in a running job without caps. */
function facts({ shard, job, bound, left, othersHold = false }: Changes = {}): ClaimFacts {
  return {
    shard: { dispatched: true, starts: 0, crashes: 0, count: 4, recorded: 0, ...shard },
    job: { terminal: false, stopReason: null, cancelRequested: false, halted: false, k: 1, concurrency: null, leased: 0, ...job },
    bound: { costNano: 10n, tokens: 100n, ...bound },
    left: { costNano: null, tokens: null, ...left },
    othersHold,
  };
}

const lease = (count: number): ClaimDecision => ({ action: 'lease', count });
const end = (reason: 'completed' | 'cancelled' | 'halted' | 'capped'): ClaimDecision => ({ action: 'end', reason });

const capped = (cap: 'cost_cap' | 'token_cap'): ClaimDecision => ({ action: 'end', reason: 'capped', capped: cap });

describe('decideClaim', () => {
  it.each<[string, Changes, ClaimDecision]>([
    ['leases all of it', {}, lease(4)],
    ['ignores what is not dispatched', { shard: { dispatched: false } }, { action: 'ignore' }],
    ['ignores it also in a halted job', { shard: { dispatched: false }, job: { halted: true } }, { action: 'ignore' }],
    ['ends what is complete', { shard: { recorded: 4 } }, end('completed')],
    ['ends what is complete also under a spent cap', { shard: { recorded: 4 }, left: { costNano: -1n } }, end('completed')],
    ['ends under a halt', { job: { halted: true, cancelRequested: true } }, end('halted')],
    ['ends after a cancel', { job: { cancelRequested: true } }, end('cancelled')],
    ['ends in a finished job', { job: { terminal: true } }, end('cancelled')],
    ['ends in a capped job', { job: { stopReason: 'cost_cap' } }, end('capped')],
    ['ends in a job out of tokens', { job: { stopReason: 'token_cap' } }, end('capped')],
    ['ends in a job that a halt stopped', { job: { stopReason: 'halted' } }, end('halted')],
    ['waits for a free lease', { job: { concurrency: 2, leased: 2 } }, { action: 'wait' }],
    ['takes the last free lease', { job: { concurrency: 2, leased: 1 } }, lease(4)],
    ['starts a last time', { shard: { starts: MAX_STARTS - 1 } }, lease(4)],
    ['gives up after the last start', { shard: { starts: MAX_STARTS } }, { action: 'give_up', reason: 'start_limit' }],
    [
      'gives up whatever the budget',
      { shard: { starts: MAX_STARTS }, left: { costNano: 0n } },
      { action: 'give_up', reason: 'start_limit' },
    ],
    ['still runs together after one crash', { shard: { crashes: SINGLY_AFTER - 1 } }, lease(4)],
    ['runs singly after crashes', { shard: { crashes: SINGLY_AFTER } }, lease(1)],
    ['runs singly however many crashes', { shard: { crashes: MAX_CRASHES } }, lease(1)],
    [
      'gives up on a single example that crashes',
      { shard: { crashes: MAX_CRASHES, count: 1 } },
      { action: 'give_up', reason: 'crash_limit' },
    ],
    ['reserves exactly what is left', { left: { costNano: 40n } }, lease(4)],
    ['splits to what the cost cap holds', { left: { costNano: 39n } }, lease(3)],
    ['splits to what the token cap holds', { left: { tokens: 250n } }, lease(2)],
    ['splits to the smaller of both', { left: { costNano: 30n, tokens: 100n } }, lease(1)],
    ['counts every completion of an example', { job: { k: 3 }, left: { costNano: 65n } }, lease(2)],
    ['reserves for what is missing only', { shard: { recorded: 3 }, left: { costNano: 10n } }, lease(4)],
    [
      'runs singly only what it can pay',
      { shard: { crashes: SINGLY_AFTER }, left: { costNano: 9n }, othersHold: true },
      { action: 'wait' },
    ],
    ['waits while others hold', { left: { costNano: 9n }, othersHold: true }, { action: 'wait' }],
    ['is capped by cost when nobody holds', { left: { costNano: 9n } }, capped('cost_cap')],
    ['is capped by tokens when nobody holds', { left: { tokens: 99n } }, capped('token_cap')],
    ['is capped after an overshoot', { left: { costNano: -5n } }, capped('cost_cap')],
    ['runs for free under a spent cost cap', { bound: { costNano: 0n }, left: { costNano: -5n } }, lease(4)],
  ])('%s', (_name, changes, decision) => {
    expect(decideClaim(facts(changes))).toEqual(decision);
  });

  const anyFacts = fc.record({
    shard: fc.record({
      dispatched: fc.boolean(),
      starts: fc.nat(4),
      crashes: fc.nat(5),
      count: fc.integer({ min: 1, max: 20 }),
      recorded: fc.nat(80),
    }),
    job: fc.record({
      terminal: fc.boolean(),
      stopReason: fc.constantFrom(null, null, null, 'cost_cap' as const, 'token_cap' as const, 'cancelled' as const, 'halted' as const),
      cancelRequested: fc.boolean(),
      halted: fc.boolean(),
      k: fc.integer({ min: 1, max: 4 }),
      concurrency: fc.option(fc.integer({ min: 1, max: 4 })),
      leased: fc.nat(5),
    }),
    bound: fc.record({ costNano: fc.bigInt({ min: 0n, max: 50n }), tokens: fc.bigInt({ min: 0n, max: 50n }) }),
    left: fc.record({
      costNano: fc.option(fc.bigInt({ min: -100n, max: 2_000n })),
      tokens: fc.option(fc.bigInt({ min: -100n, max: 2_000n })),
    }),
    othersHold: fc.boolean(),
  });

  it('starts nothing that must not start, and nothing over the limit', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const decision = decideClaim(given);
        if (decision.action !== 'lease' && decision.action !== 'give_up') return;
        const { job } = given;
        expect([given.shard.dispatched, job.terminal, job.stopReason, job.cancelRequested, job.halted]).toEqual([
          true,
          false,
          null,
          false,
          false,
        ]);
        expect(job.concurrency === null || job.leased < job.concurrency).toBe(true);
        expect(given.shard.recorded).toBeLessThan(given.shard.count * job.k);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never leases more than fits under every cap, whichever samples are recorded already', () => {
    fc.assert(
      fc.property(anyFacts, ({ shard, bound, left, job, othersHold }) => {
        const given = facts({ shard: { ...shard, dispatched: true, starts: 0 }, job: { k: job.k }, bound, left, othersHold });
        const decision = decideClaim(given);
        if (decision.action !== 'lease') return;
        expect(decision.count).toBeGreaterThanOrEqual(1);
        expect(decision.count).toBeLessThanOrEqual(shard.count);
        // What is missing may all lie in the part that is leased.
        const samples = BigInt(Math.min(decision.count * job.k, shard.count * job.k - shard.recorded));
        for (const [price, available] of [
          [bound.costNano, left.costNano],
          [bound.tokens, left.tokens],
        ] as const) {
          if (available !== null && price > 0n) expect(price * samples).toBeLessThanOrEqual(available);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('caps a job only when nobody holds a reservation and not even one example fits', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const decision = decideClaim(given);
        if (decision.action !== 'end' || decision.capped === undefined) return;
        expect(given.othersHold).toBe(false);
        const [price, available] =
          decision.capped === 'cost_cap' ? [given.bound.costNano, given.left.costNano] : [given.bound.tokens, given.left.tokens];
        expect(price * BigInt(given.job.k)).toBeGreaterThan(available!);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('stopEnd', () => {
  it.each([
    ['cost_cap', 'capped'],
    ['token_cap', 'capped'],
    ['cancelled', 'cancelled'],
    ['halted', 'halted'],
  ] as const)('a job stopped by %s ends its shards as %s', (reason, shardEnd) => {
    expect(stopEnd(reason)).toBe(shardEnd);
  });
});
