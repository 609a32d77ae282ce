import { type Scorer } from '@kiln/contracts';
import { type ScorerCheck } from './scorer-definition.js';
import { executedDefinition, inlineDefinition, isExecuted } from './scorer-kinds.js';

/**
 * Registration's check of a scorer, and of each example against it, so that a suite which could only give `error` is
 * refused instead of run.
 *
 * @param scorerPath where the scorer stands in the suite: `default_scorer`, `examples[3].scorer`.
 * @throws {KilnError} for a kind that is not served, a bad pattern, an unknown capture group, no phrases.
 * @returns a check that throws {KilnError} for a missing or unreadable target.
 */
export function compileScorerCheck(scorer: Scorer, scorerPath: string): ScorerCheck {
  const definition = isExecuted(scorer) ? executedDefinition(scorer, scorerPath) : inlineDefinition(scorer, scorerPath);
  return definition.check(scorer, scorerPath, compileScorerCheck);
}
