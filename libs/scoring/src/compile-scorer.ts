import { KilnError, type Scorer } from '@kiln/contracts';
import { compileContains } from './contains.js';
import { compileExactMatch } from './exact-match.js';
import { compileJsonValidity } from './json-validity.js';
import { compileMultipleChoice } from './multiple-choice.js';
import { compileNumericTolerance } from './numeric-tolerance.js';
import { compileRegex } from './regex.js';
import { invalid } from './score-results.js';
import { isServed, scorerKindsServed, type ServedScorerKind } from './scorer-kinds.js';
import { type CompiledScorer } from './scoring-input.js';

/**
 * Compiles a scorer once for any number of answers (contracts.md §1.7). The result is pure, synchronous and never
 * throws: an answer that cannot be graded is `invalid`, a scorer or target that cannot grade is `error`.
 *
 * @throws {KilnError} for a kind that is not served yet.
 */
export function compileScorer(scorer: Scorer): CompiledScorer {
  if (!isServed(scorer)) throw notServed(scorer.kind);
  const score = compileServed(scorer);
  // What stands before an unclosed <think> tag's end is reasoning, not an answer.
  return (input) => (input.unclosedThinking ? invalid('unclosed_thinking') : score(input));
}

/** The refusal of a scorer kind that the contract knows and this version cannot run. */
export function notServed(kind: string, path = 'scorer.kind'): KilnError {
  return new KilnError('eval_invalid_request', `${path}: scorer "${kind}" is not served by this version`, {
    path,
    hint: `Use one of ${scorerKindsServed.join(', ')}.`,
  });
}

function compileServed(scorer: Extract<Scorer, { kind: ServedScorerKind }>): CompiledScorer {
  switch (scorer.kind) {
    case 'exact_match':
      return compileExactMatch(scorer);
    case 'contains':
      return compileContains(scorer);
    case 'regex':
      return compileRegex(scorer);
    case 'numeric_tolerance':
      return compileNumericTolerance(scorer);
    case 'multiple_choice':
      return compileMultipleChoice(scorer);
    case 'json_validity':
      return compileJsonValidity(scorer);
  }
}
