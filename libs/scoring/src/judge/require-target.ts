import { type ScorerCheck } from '../scorer-definition.js';
import { scorerRefusal } from '../scorer-refusal.js';

/** Judges are shown the target itself; aliases do not stand in for it. */
export function requireTarget(scorer: string): ScorerCheck {
  return ({ target }, at) => {
    if (target !== null) return;
    throw scorerRefusal(`${at}.target`, `is required by ${scorer}`, 'Write the right answer, or use a scorer that needs none.');
  };
}
