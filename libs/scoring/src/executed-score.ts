import { type ExecutedScore, type JudgeUsage, type Score } from '@kiln/contracts';

/** A score in the form of scorers that ask a judge or run code. */
export function executedScore(score: Score, usage: JudgeUsage | null = null): ExecutedScore {
  return { ...score, raw_value: null, usage };
}
