import { type Scorer } from '@kiln/contracts';
import { invalid } from './score-results.js';
import { inlineDefinition } from './find-definition.js';
import { isExecuted } from './scorer-kinds.js';
import { type CompiledScorer } from './scoring-input.js';

/**
 * Compiles an inline scorer once for any number of answers (contracts.md §1.7). The result is pure, synchronous and never
 * throws: an answer that cannot be graded is `invalid`, a scorer or target that cannot grade is `error`.
 *
 * @throws {TypeError} for a scorer that asks a judge or runs code.
 */
export function compileScorer(scorer: Scorer): CompiledScorer {
  if (isExecuted(scorer)) throw new TypeError(`${scorer.kind} is no inline scorer; compile it with compileExecutedScorer`);
  const definition = inlineDefinition(scorer);
  const score = definition.compile(scorer, compileScorer);
  if (definition.readsUnclosedThinking) return score;
  // What stands before an unclosed <think> tag's end is reasoning, not an answer.
  return (input) => (input.unclosedThinking ? invalid('unclosed_thinking') : score(input));
}
