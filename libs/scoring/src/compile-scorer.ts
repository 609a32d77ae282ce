import { type Scorer } from '@kiln/contracts';
import { invalid } from './score-results.js';
import { inlineDefinition } from './scorer-kinds.js';
import { type CompiledScorer } from './scoring-input.js';

/**
 * Compiles an inline scorer once for any number of answers (contracts.md §1.7). The result is pure, synchronous and never
 * throws: an answer that cannot be graded is `invalid`, a scorer or target that cannot grade is `error`.
 *
 * @throws {KilnError} for a kind that is not inline.
 */
export function compileScorer(scorer: Scorer): CompiledScorer {
  const definition = inlineDefinition(scorer);
  const score = definition.compile(scorer, compileScorer);
  if (definition.readsUnclosedThinking) return score;
  // What stands before an unclosed <think> tag's end is reasoning, not an answer.
  return (input) => (input.unclosedThinking ? invalid('unclosed_thinking') : score(input));
}
