import { type ScorerOf } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { equalJson } from './json/equal-json.js';
import { isJsonObject } from './json/is-json-object.js';
import { compileJsonPointer } from './json/json-pointer.js';
import { readJson } from './json/read-json.js';
import { rightAnswers } from './right-answers.js';
import { failed, invalid, passed } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { requireReadable } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type JsonValidityScorer = ScorerOf<'json_validity'>;

/**
 * Passes when the answer holds JSON of the wanted shape and, where the example has a target, equal to it or an alias.
 * No JSON is `invalid`; a missing path, a value that is not an object, a different value fail; a target that is not JSON
 * makes every answer `invalid`, as contracted.
 */
export function compileJsonValidity({ require_object, required_paths }: JsonValidityScorer): CompiledScorer {
  const paths = required_paths.map((path) => ({ path, resolves: compileJsonPointer(path) }));
  return (input) => {
    const answer = readJson(input.text);
    if (answer.kind === 'none') return invalid(answer.reason);
    if (require_object && !isJsonObject(answer.value)) return failed({ reason: 'not_an_object' });
    const missing = paths.find(({ resolves }) => !resolves(answer.value));
    if (missing) return failed({ reason: 'path_missing', path: excerpt(missing.path) });
    const targets = rightAnswers(input);
    if (targets.length === 0) return passed();
    const expected = targets.map(readJson);
    if (expected.some(({ kind }) => kind === 'none')) return invalid('target_not_json');
    return expected.some((wanted) => wanted.kind === 'json' && equalJson(answer, wanted)) ? passed() : failed({ reason: 'different' });
  };
}

export function checkJsonValidity(): ScorerCheck {
  return requireReadable(
    (target) => readJson(target).kind === 'json',
    'must be JSON for the scorer json_validity',
    'Write JSON, or leave target and aliases out to check validity only.',
    'optional',
  );
}
