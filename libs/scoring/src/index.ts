export { compileExecutedScorer } from './compile-executed-scorer.js';
export { compileScorerCheck } from './compile-scorer-check.js';
export { compileScorer } from './compile-scorer.js';
export { scorerOfEvalConfig } from './formats/scorer-of-eval-config.js';
export { scorerOfGrader } from './formats/scorer-of-grader.js';
export { judgeQuestionBound, type JudgedSizes, type JudgeQuestionBound } from './judge/judge-question-bound.js';
export { type AnsweredExample, plainAnswer } from './plain-answer.js';
export { ExecutedProof } from './proof/executed-proof.js';
export { PROVED_EXAMPLES, ProofSample, type SampledExample } from './proof/proof-sample.js';
export { ScorerProver } from './proof/scorer-prover.js';
export { type ExecutedScorer, type ScoredExample, type ScorerCheck } from './scorer-definition.js';
export { asksJudge, isInlineScorer, runsCode } from './scorer-kinds.js';
export {
  type AskJudge,
  type ConfinedProgram,
  type ConfinedResult,
  type JudgeAnswer,
  type JudgeQuestion,
  type RunConfined,
  type ScorerPorts,
} from './scorer-ports.js';
export { scorerVersions } from './scorer-versions.js';
export { type CompiledScorer, type ScoringInput } from './scoring-input.js';
export { traceTexts, type TraceBytes, type TraceTexts } from './trace-texts.js';
