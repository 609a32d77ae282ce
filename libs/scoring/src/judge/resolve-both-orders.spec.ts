import { describe, expect, it } from 'vitest';
import { resolveBothOrders, type SeatPick } from './resolve-both-orders.js';

/** All nine pairs of picks, by hand: only the same response twice decides (contracts.md §3.4). */
const table: [SeatPick, SeatPick, string, string | null][] = [
  ['a', 'a', 'tie', 'a'],
  ['a', 'b', 'win', null],
  ['a', 'tie', 'tie', null],
  ['b', 'a', 'loss', null],
  ['b', 'b', 'tie', 'b'],
  ['b', 'tie', 'tie', null],
  ['tie', 'a', 'tie', null],
  ['tie', 'b', 'tie', null],
  ['tie', 'tie', 'tie', null],
];

describe('resolveBothOrders', () => {
  it.each(table)('%s, then %s: %s, seat %s', (candidateAsA, candidateAsB, outcome, seat) => {
    expect(resolveBothOrders(candidateAsA, candidateAsB)).toEqual({ outcome, seat });
  });

  it('is fair: seen from the other side, a win is a loss', () => {
    const other = { win: 'loss', loss: 'win', tie: 'tie' };
    for (const [candidateAsA, candidateAsB, outcome] of table) {
      // The baseline sits as A where the candidate sits as B.
      expect(resolveBothOrders(candidateAsB, candidateAsA).outcome).toBe(Reflect.get(other, outcome));
    }
  });
});
