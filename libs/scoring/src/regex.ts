import { type ScorerOf } from '@kiln/contracts';
import { checkPattern } from './check-pattern.js';
import { type Pattern, compilePattern } from './compile-pattern.js';
import { excerpt } from './excerpt.js';
import { foldCase } from './fold-case.js';
import { failed, invalid, passed, unscorable } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, requireTargetOrAlias, scorerRefusal } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type RegexScorer = ScorerOf<'regex'>;

/**
 * Searches the answer for the pattern. Without `capture_group` a match passes; with it the captured text of the first
 * match must equal the target or an alias, apart from white space around it (and case, when `case_sensitive` is false).
 * No match fails; a group that took no part in the match is `invalid`; a bad pattern makes every score an `error`.
 */
export function compileRegex({ pattern: source, capture_group: group, case_sensitive }: RegexScorer): CompiledScorer {
  const pattern = compilePattern(source, case_sensitive);
  if (pattern.kind === 'bad_pattern') return () => unscorable('bad_pattern', { message: excerpt(pattern.message) });
  if (group !== null && !hasGroup(pattern, group)) return () => unscorable('no_such_group', { capture_group: group });
  const normalise = (text: string): string => (case_sensitive ? text.trim() : foldCase(text.trim()));

  return ({ text, target, aliases }) => {
    if (!pattern.affords(text)) return unscorable('answer_too_long_for_pattern');
    if (group === null) return pattern.matches(text) ? passed() : failed({ reason: 'no_match' });
    if (target === null && aliases.length === 0) return unscorable('target_missing');
    const captured = pattern.capture(text, group);
    if (captured === undefined) return failed({ reason: 'no_match' });
    if (captured === null) return invalid('group_not_matched', { capture_group: group });
    const answer = normalise(captured);
    const right = [target, ...aliases].some((candidate) => candidate !== null && answer === normalise(candidate));
    const detail = { answer: excerpt(captured) };
    return right ? passed(detail) : failed({ reason: 'different', ...detail });
  };
}

/** Whether the pattern has the capture group that a suite asks for, by number (0 = whole match) or name. */
function hasGroup(pattern: Pattern, group: number | string): boolean {
  return typeof group === 'number' ? group <= pattern.groups : pattern.names.has(group);
}

export function checkRegex(scorer: RegexScorer, path: string): ScorerCheck {
  const pattern = checkPattern(scorer.pattern, scorer.case_sensitive, path);
  if (scorer.capture_group === null) return acceptExample;
  if (!hasGroup(pattern, scorer.capture_group)) {
    const groups = [...pattern.names].join(', ') || `0 to ${pattern.groups}`;
    throw scorerRefusal(
      `${path}.capture_group`,
      `the pattern has no group ${JSON.stringify(scorer.capture_group)}`,
      `Its groups: ${groups}.`,
    );
  }
  return requireTargetOrAlias('regex with capture_group');
}
