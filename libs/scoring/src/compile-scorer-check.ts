import { KilnError, type Scorer } from '@kiln/contracts';
import { compilePattern } from './compile-pattern.js';
import { notServed } from './compile-scorer.js';
import { readJson } from './json/read-json.js';
import { readNumericTarget } from './numeric-tolerance.js';
import { compileChoiceLabel } from './read-choice.js';
import { hasGroup } from './regex.js';
import { isServed } from './scorer-kinds.js';

/** What a scorer needs from an example. */
export interface ScoredExample {
  readonly target: string | null;
  readonly aliases: readonly string[];
}

/** Throws when the scorer could never grade the example. `examplePath` is put before the bad field: `examples[3]`. */
export type ScorerCheck = (example: ScoredExample, examplePath: string) => void;

/**
 * Registration's check of a scorer, and of each example against it, so that a suite which could only give `error` is
 * refused instead of run.
 *
 * @param scorerPath where the scorer stands in the suite: `default_scorer`, `examples[3].scorer`.
 * @throws {KilnError} for a kind that is not served, a bad pattern, an unknown capture group, no phrases.
 * @returns a check that throws {KilnError} for a missing or unreadable target.
 */
export function compileScorerCheck(scorer: Scorer, scorerPath: string): ScorerCheck {
  if (!isServed(scorer)) throw notServed(scorer.kind, `${scorerPath}.kind`);
  switch (scorer.kind) {
    case 'exact_match':
      return requireTargetOrAlias('exact_match');
    case 'contains':
      if (scorer.phrases.length > 0 && !scorer.phrases.includes('')) return accept;
      throw refusal(`${scorerPath}.phrases`, 'must hold at least one phrase and no empty one', 'Write the phrases to look for.');
    case 'regex':
      return checkRegex(scorer, scorerPath);
    case 'numeric_tolerance':
      return requireReadable(
        (target) => readNumericTarget(target) !== null,
        'must hold exactly one number for the scorer numeric_tolerance',
        'Write the number alone, such as "185".',
      );
    case 'multiple_choice': {
      const labelFor = compileChoiceLabel(scorer.choices);
      return requireReadable(
        (target) => labelFor(target) !== null,
        `must be one of the choices ${scorer.choices.join(', ')}`,
        'Write the label of the right choice, or add it to the choices of the scorer.',
      );
    }
    case 'json_validity':
      return requireReadable(
        (target) => readJson(target).kind === 'json',
        'must be JSON for the scorer json_validity',
        'Write JSON, or leave target and aliases out to check validity only.',
        'optional',
      );
  }
}

function checkRegex(scorer: Extract<Scorer, { kind: 'regex' }>, scorerPath: string): ScorerCheck {
  const pattern = compilePattern(scorer.pattern, scorer.case_sensitive);
  if (pattern.kind === 'bad_pattern') {
    throw refusal(`${scorerPath}.pattern`, pattern.message, 'Patterns use RE2 syntax: no look-around, no back-references.');
  }
  if (scorer.capture_group === null) return accept;
  if (!hasGroup(pattern, scorer.capture_group)) {
    const groups = [...pattern.names].join(', ') || `0 to ${pattern.groups}`;
    throw refusal(
      `${scorerPath}.capture_group`,
      `the pattern has no group ${JSON.stringify(scorer.capture_group)}`,
      `Its groups: ${groups}.`,
    );
  }
  return requireTargetOrAlias('regex with capture_group');
}

function requireTargetOrAlias(scorer: string): ScorerCheck {
  return ({ target, aliases }, at) => {
    if (target !== null || aliases.length > 0) return;
    throw refusal(`${at}.target`, `is required by the scorer ${scorer}`, 'Write the right answer, or use a scorer that needs none.');
  };
}

/** Target and aliases must all pass `readable`; the target must exist unless it is optional. */
function requireReadable(readable: (target: string) => boolean, message: string, hint: string, need?: 'optional'): ScorerCheck {
  return ({ target, aliases }, at) => {
    if (target === null ? need !== 'optional' : !readable(target)) throw refusal(`${at}.target`, message, hint);
    const wrong = aliases.findIndex((alias) => !readable(alias));
    if (wrong >= 0) throw refusal(`${at}.aliases[${wrong}]`, message, hint);
  };
}

const accept: ScorerCheck = () => {};

function refusal(path: string, message: string, hint: string): KilnError {
  return new KilnError('eval_invalid_request', `${path}: ${message}`, { path, hint });
}
