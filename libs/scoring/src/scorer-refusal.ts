import { KilnError } from '@kiln/contracts';
import { type ScoredExample, type ScorerCheck } from './scorer-definition.js';

/** The refusal of a suite whose scorer, or whose example for it, is wrong at `path`. */
export function scorerRefusal(path: string, message: string, hint: string): KilnError {
  return new KilnError('eval_invalid_request', `${path}: ${message}`, { path, hint });
}

/** Any example can be graded. */
export const acceptExample: ScorerCheck = () => {};

export function requireTargetOrAlias(scorer: string): ScorerCheck {
  return ({ target, aliases }: ScoredExample, at: string) => {
    if (target !== null || aliases.length > 0) return;
    throw scorerRefusal(`${at}.target`, `is required by the scorer ${scorer}`, 'Write the right answer, or use a scorer that needs none.');
  };
}

/** Target and aliases must all pass `readable`; the target must exist unless it is optional. */
export function requireReadable(readable: (target: string) => boolean, message: string, hint: string, need?: 'optional'): ScorerCheck {
  return ({ target, aliases }, at) => {
    if (target === null ? need !== 'optional' : !readable(target)) throw scorerRefusal(`${at}.target`, message, hint);
    const wrong = aliases.findIndex((alias) => !readable(alias));
    if (wrong >= 0) throw scorerRefusal(`${at}.aliases[${wrong}]`, message, hint);
  };
}
