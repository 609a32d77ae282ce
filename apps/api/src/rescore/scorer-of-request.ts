import { type NamedScorer, type Scorer } from '@kiln/contracts';
import { scorerOfEvalConfig, scorerOfGrader } from '@kiln/scoring';

/**
 * The scorer of one entry of a rescore, whichever form it was written in.
 *
 * @param index of the entry, for messages
 * @throws KilnError that names the field which cannot be a scorer
 */
export function scorerOfRequest({ scorer, eval_config: config, grader, expect }: NamedScorer, index: number): Scorer {
  if (config !== undefined) return scorerOfEvalConfig(config, ['scorers', index, 'eval_config']);
  if (grader !== undefined && expect !== undefined) return scorerOfGrader({ grader, expect }, ['scorers', index]);
  return scorer!;
}
