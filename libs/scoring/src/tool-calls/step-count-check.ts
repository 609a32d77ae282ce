import { type ScorerOf } from '@kiln/contracts';
import { failed, passed, skipped } from '../score-results.js';
import { type ScorerCheck } from '../scorer-definition.js';
import { acceptExample } from '../scorer-refusal.js';
import { type CompiledScorer } from '../scoring-input.js';
import { readTrace } from './trace-calls.js';

type StepCountCheckScorer = ScorerOf<'step_count_check'>;

/** Passes when the trace has as many steps as wanted, both bounds included (contracts.md §4.3). Without a trace: skipped. */
export function compileStepCountCheck({ count_type, min_count, max_count }: StepCountCheckScorer): CompiledScorer {
  return (input) => {
    const trace = readTrace(input);
    if (trace === null) return skipped('missing_trace');
    const count = { tool_calls: trace.calls.length, model_responses: trace.modelResponses, turns: trace.turns }[count_type];
    if (min_count !== null && count < min_count) return failed({ reason: 'too_few', count });
    if (max_count !== null && count > max_count) return failed({ reason: 'too_many', count });
    return passed({ count });
  };
}

/** Nothing that the schema has not checked. */
export function checkStepCountCheck(): ScorerCheck {
  return acceptExample;
}
