import { type Scorer } from '@kiln/contracts';
import { type ScorerCheck } from './scorer-definition.js';
import { scorerDefinition } from './find-definition.js';

/**
 * Registration's check of a scorer, and of each example against it, so that a suite which could only give `error` is
 * refused instead of run.
 *
 * @param scorerPath where the scorer stands in the suite: `default_scorer`, `examples[3].scorer`.
 * @throws {KilnError} for a bad pattern, an unknown capture group, no phrases.
 * @returns a check that throws {KilnError} for a missing or unreadable target.
 */
export function compileScorerCheck(scorer: Scorer, scorerPath: string): ScorerCheck {
  return scorerDefinition(scorer).check(scorer, scorerPath, compileScorerCheck);
}
