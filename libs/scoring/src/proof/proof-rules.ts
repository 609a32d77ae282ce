import { type Scorer, type ScorerKind, type ScorerOf } from '@kiln/contracts';
import { proveMultipleChoice } from './choice-rule.js';
import { proveCode } from './code-rule.js';
import { proveComposite } from './composite-rule.js';
import { proveContains } from './contains-rule.js';
import { proveExactMatch } from './exact-match-rule.js';
import { proveJudge, provePairwise, proveProgram } from './executed-rules.js';
import { proveJsonValidity } from './json-rule.js';
import { type MutateExample } from './mutant.js';
import { proveNumericTolerance } from './number-rule.js';
import { provePatternMatch, proveRegex } from './pattern-rule.js';
import { proveSetCheck } from './set-rule.js';
import { proveToolCall } from './tool-call-rule.js';

/** How a scorer is proved, or why it cannot be. */
type ProofRule<S> = (scorer: S) => MutateExample | string;

/**
 * One entry a kind. What a mutant owes each kind is written where the kind's mutants are made, with the reason where its
 * contract leaves both grades open.
 */
const PROOF_RULES: { readonly [K in ScorerKind]: ProofRule<ScorerOf<K>> } = {
  exact_match: proveExactMatch,
  contains: proveContains,
  regex: proveRegex,
  pattern_match: provePatternMatch,
  json_validity: proveJsonValidity,
  json_schema: () => 'json_schema compares with a schema, not with a target',
  multiple_choice: proveMultipleChoice,
  numeric_tolerance: proveNumericTolerance,
  set_check: proveSetCheck,
  tool_call: proveToolCall,
  tool_call_check: () => 'tool_call_check looks at the trace, not at a target',
  step_count_check: () => 'step_count_check counts steps and compares no answers',
  code: proveCode,
  python_doctest: () => 'the tests of python_doctest stand in the question, which the proof replaces by the answer',
  code_eval: () => proveProgram,
  bash: () => proveProgram,
  llm_judge: () => proveJudge,
  judge: () => proveJudge,
  pairwise_judge: () => provePairwise,
  all: (scorer) => proveComposite(scorer, proofRule),
  any: (scorer) => proveComposite(scorer, proofRule),
};

/** How `scorer` is proved; a text says why it cannot be. */
export function proofRule(scorer: Scorer): MutateExample | string {
  return (PROOF_RULES[scorer.kind] as ProofRule<Scorer>)(scorer);
}
