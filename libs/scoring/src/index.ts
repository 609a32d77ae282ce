export { compileScorerCheck, type ScoredExample, type ScorerCheck } from './compile-scorer-check.js';
export { compileScorer } from './compile-scorer.js';
export { scorerKindsServed } from './scorer-kinds.js';
export { type CompiledScorer, type ScoringInput } from './scoring-input.js';
