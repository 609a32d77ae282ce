import { type JudgedPairs } from '@kiln/contracts';

/** Decided pairs, from the candidate's side: both presentation orders were judged, and a disagreement is a tie. */
export interface PairVotes {
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}

export const NO_VOTES: PairVotes = Object.freeze({ wins: 0, losses: 0, ties: 0 });

/** Votes with their win rate; ties stay in the denominator (contracts §3.2). */
export function judgedPairs({ wins, losses, ties }: PairVotes): JudgedPairs {
  const judged = wins + losses + ties;
  return { judged, wins, losses, ties, win_rate: judged === 0 ? null : wins / judged };
}

export function sumOfVotes(votes: Iterable<PairVotes>): PairVotes {
  let [wins, losses, ties] = [0, 0, 0];
  for (const vote of votes) {
    wins += vote.wins;
    losses += vote.losses;
    ties += vote.ties;
  }
  return { wins, losses, ties };
}
