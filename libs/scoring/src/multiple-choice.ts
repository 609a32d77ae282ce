import { type ScorerOf } from '@kiln/contracts';
import { compileChoiceLabel, compileChoiceReader } from './read-choice.js';
import { failed, invalid, passed, unscorable } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { requireReadable } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type MultipleChoiceScorer = ScorerOf<'multiple_choice'>;

/** Of an answer that names several choices, as many as its detail quotes. */
const MAX_LABELS = 8;

/**
 * Passes when the label that the answer commits to is the target's or an alias's. No label, or several at once, is
 * `invalid`, never a guess.
 */
export function compileMultipleChoice({ choices }: MultipleChoiceScorer): CompiledScorer {
  const readChoice = compileChoiceReader(choices);
  const labelFor = compileChoiceLabel(choices);
  return ({ text, target, aliases }) => {
    const expected = target === null ? null : labelFor(target);
    if (expected === null) return unscorable('target_not_a_choice');
    const answer = readChoice(text);
    if (answer.kind === 'none') return invalid('no_choice');
    if (answer.kind === 'several') return invalid('several_choices', { answers: answer.labels.slice(0, MAX_LABELS) });
    const detail = { answer: answer.label, place: answer.place };
    const right = answer.label === expected || aliases.some((alias) => labelFor(alias) === answer.label);
    return right ? passed(detail) : failed({ reason: 'different', ...detail });
  };
}

export function checkMultipleChoice({ choices }: MultipleChoiceScorer): ScorerCheck {
  const labelFor = compileChoiceLabel(choices);
  return requireReadable(
    (target) => labelFor(target) !== null,
    `must be one of the choices ${choices.join(', ')}`,
    'Write the label of the right choice, or add it to the choices of the scorer.',
  );
}
