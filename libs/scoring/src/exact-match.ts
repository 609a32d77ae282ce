import { type ScorerOf } from '@kiln/contracts';
import { foldCase } from './fold-case.js';
import { failed, passed, unscorable } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, requireTargetOrAlias } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type ExactMatchScorer = ScorerOf<'exact_match'>;

/** Passes when the answer equals the target or an alias. White space around both is removed unless the suite says otherwise. */
export function compileExactMatch({ case_sensitive, strip_whitespace }: ExactMatchScorer): CompiledScorer {
  const normalise = (text: string): string => {
    const stripped = strip_whitespace ? text.trim() : text;
    return case_sensitive ? stripped : foldCase(stripped);
  };
  return ({ text, target, aliases }) => {
    if (target === null && aliases.length === 0) return unscorable('target_missing');
    const answer = normalise(text);
    if (target !== null && answer === normalise(target)) return passed();
    const alias = aliases.findIndex((candidate) => answer === normalise(candidate));
    return alias >= 0 ? passed({ alias }) : failed({ reason: 'different' });
  };
}

/** Something must be there to compare with. */
export function checkExactMatch({ expected_value: expected, reference_key: key }: ExactMatchScorer): ScorerCheck {
  return expected !== null || key !== null ? acceptExample : requireTargetOrAlias('exact_match');
}
