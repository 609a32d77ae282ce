/** A pick as the judge gives it, by the letter under which it saw a response. */
export type SeatPick = 'a' | 'b' | 'tie';

/** What two picks about one pair come to, from the candidate's side. */
export interface PairResult {
  outcome: 'win' | 'loss' | 'tie';
  /** The same seat was picked in both orders: the judge looked at the seat and not at the response. */
  seat: 'a' | 'b' | null;
}

/**
 * Decides a pair that was judged in both orders: the same response both times wins; anything else is a tie, so that a judge
 * which prefers a seat decides nothing (contracts.md §3.4).
 *
 * @param candidateAsA the pick when the candidate was shown as A
 * @param candidateAsB the pick when it was shown as B
 */
export function resolveBothOrders(candidateAsA: SeatPick, candidateAsB: SeatPick): PairResult {
  if (candidateAsA === 'a' && candidateAsB === 'b') return { outcome: 'win', seat: null };
  if (candidateAsA === 'b' && candidateAsB === 'a') return { outcome: 'loss', seat: null };
  return { outcome: 'tie', seat: candidateAsA === candidateAsB && candidateAsA !== 'tie' ? candidateAsA : null };
}
