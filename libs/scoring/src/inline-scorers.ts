import { type ScorerOf } from '@kiln/contracts';
import { checkCode, compileCode } from './code.js';
import { checkComposite, compileComposite } from './composite.js';
import { checkContains, compileContains } from './contains.js';
import { checkExactMatch, compileExactMatch } from './exact-match.js';
import { checkJsonSchemaScorer, compileJsonSchemaScorer } from './json-schema.js';
import { checkJsonValidity, compileJsonValidity } from './json-validity.js';
import { checkMultipleChoice, compileMultipleChoice } from './multiple-choice.js';
import { checkNumericTolerance, compileNumericTolerance } from './numeric-tolerance.js';
import { checkPatternMatch, compilePatternMatch } from './pattern-match.js';
import { checkRegex, compileRegex } from './regex.js';
import { type InlineDefinition } from './scorer-definition.js';
import { type InlineKind } from './scorer-kinds.js';
import { checkSetCheck, compileSetCheck } from './set-check.js';
import { checkStepCountCheck, compileStepCountCheck } from './tool-calls/step-count-check.js';
import { checkToolCallCheck, compileToolCallCheck } from './tool-calls/tool-call-check.js';
import { checkToolCall, compileToolCall } from './tool-calls/tool-call-scorer.js';

/** Scorers that only read the trace: pure and cheap enough to run beside its write. */
export const INLINE_SCORERS = {
  exact_match: { version: 2, check: checkExactMatch, compile: compileExactMatch },
  contains: { version: 2, check: checkContains, compile: compileContains },
  regex: { version: 1, check: checkRegex, compile: compileRegex },
  pattern_match: { version: 2, check: checkPatternMatch, compile: compilePatternMatch },
  set_check: { version: 2, check: checkSetCheck, compile: compileSetCheck },
  numeric_tolerance: { version: 1, check: checkNumericTolerance, compile: compileNumericTolerance },
  multiple_choice: { version: 2, check: checkMultipleChoice, compile: compileMultipleChoice },
  json_validity: { version: 1, check: checkJsonValidity, compile: compileJsonValidity },
  json_schema: { version: 2, check: checkJsonSchemaScorer, compile: compileJsonSchemaScorer },
  code: { version: 1, check: checkCode, compile: compileCode },
  tool_call: { version: 1, readsUnclosedThinking: true, check: checkToolCall, compile: compileToolCall },
  tool_call_check: { version: 1, check: checkToolCallCheck, compile: compileToolCallCheck },
  step_count_check: { version: 1, check: checkStepCountCheck, compile: compileStepCountCheck },
  all: { version: 1, readsUnclosedThinking: true, check: checkComposite, compile: compileComposite },
  any: { version: 1, readsUnclosedThinking: true, check: checkComposite, compile: compileComposite },
} satisfies { [K in InlineKind]: InlineDefinition<ScorerOf<K>> };
