import { parseWith, Scorer, type Score } from '@kiln/contracts';
import { compileScorer } from './compile-scorer.js';
import { plainAnswer } from './plain-answer.js';
import { type ScoringInput } from './scoring-input.js';

/** Scores one answer with a scorer as a suite writes it. */
export function scoreAnswer(scorer: object, text: string, rest: Partial<ScoringInput> = {}): Score {
  return compileScorer(parseWith(Scorer, scorer, 'scorer'))(scoringInput(text, rest));
}

export function scoringInput(text: string, rest: Partial<ScoringInput> = {}): ScoringInput {
  return { ...plainAnswer(text), ...rest };
}

/** The kind alone, for tables. */
export function kindOf(scorer: object, text: string, target: string | null = null, aliases: string[] = []): string {
  return scoreAnswer(scorer, text, { target, aliases }).kind;
}
