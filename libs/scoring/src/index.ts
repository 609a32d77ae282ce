export { compileExecutedScorer } from './compile-executed-scorer.js';
export { compileScorerCheck } from './compile-scorer-check.js';
export { compileScorer } from './compile-scorer.js';
export { type ExecutedScorer, type ScoredExample, type ScorerCheck } from './scorer-definition.js';
export { asksJudge, isInlineScorer, runsCode, scorerKindsServed } from './scorer-kinds.js';
export {
  type AskJudge,
  type ConfinedProgram,
  type ConfinedResult,
  type JudgeAnswer,
  type JudgeQuestion,
  type RunConfined,
  type ScorerPorts,
} from './scorer-ports.js';
export { type CompiledScorer, type ScoringInput } from './scoring-input.js';
