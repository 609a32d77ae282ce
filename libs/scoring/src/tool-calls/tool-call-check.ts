import { type ExpectedTool, type ScorerOf } from '@kiln/contracts';
import { excerpt } from '../excerpt.js';
import { failed, passed, skipped } from '../score-results.js';
import { type ScorerCheck } from '../scorer-definition.js';
import { acceptExample, scorerRefusal } from '../scorer-refusal.js';
import { type CompiledScorer } from '../scoring-input.js';
import { type ArgumentTest, compileExpectedArgument } from './expected-argument.js';
import { readTrace, type TracedCall } from './trace-calls.js';

type ToolCallCheckScorer = ScorerOf<'tool_call_check'>;
type CallTest = (call: TracedCall) => boolean;

/**
 * Passes when the trace's tool calls are as expected (contracts.md §4.3). One call may satisfy several expectations of `all`;
 * `ordered` wants them as a subsequence; `never` wants none of them. Calls of other tools fail only where the suite says so, and
 * only what has passed. Without a trace there is nothing to check: skipped.
 */
export function compileToolCallCheck({ expected_tools, match_mode, on_unexpected_tools }: ToolCallCheckScorer): CompiledScorer {
  const tests = expected_tools.map(compileExpectedTool);
  const names = new Set(expected_tools.map(({ tool_name: name }) => name));
  const failsUnexpected = on_unexpected_tools === 'fail' && match_mode !== 'never';
  return (input) => {
    const trace = readTrace(input);
    if (trace === null) return skipped('missing_trace');
    const { calls } = trace;
    const unmet = MATCHES[match_mode](tests, calls);
    if (unmet !== null) {
      const reason = match_mode === 'never' ? 'tool_called' : 'tool_not_called';
      return failed({ reason, tool: excerpt(expected_tools[unmet]!.tool_name), expectation: unmet, calls: calls.length });
    }
    const unexpected = failsUnexpected ? calls.find(({ name }) => !names.has(name)) : undefined;
    return unexpected ? failed({ reason: 'unexpected_tool', tool: excerpt(unexpected.name) }) : passed({ calls: calls.length });
  };
}

/** The index of an expectation that is not met; null when the calls are as expected. */
const MATCHES: Readonly<
  Record<ToolCallCheckScorer['match_mode'], (tests: readonly CallTest[], calls: readonly TracedCall[]) => number | null>
> = {
  any: (tests, calls) => (tests.some((test) => calls.some(test)) ? null : 0),
  all: (tests, calls) => indexOrNull(tests.findIndex((test) => !calls.some(test))),
  never: (tests, calls) => indexOrNull(tests.findIndex((test) => calls.some(test))),
  ordered: (tests, calls) => {
    let met = 0;
    for (const call of calls) if (met < tests.length && tests[met]!(call)) met += 1;
    return met === tests.length ? null : met;
  },
};

function indexOrNull(index: number): number | null {
  return index < 0 ? null : index;
}

function compileExpectedTool({ tool_name: name, expected_args: expected }: ExpectedTool): CallTest {
  const tests = Object.entries(expected ?? {}).map(([key, argument]): [string, ArgumentTest] => {
    const test = compileExpectedArgument(argument);
    // Registration refused it.
    return [key, typeof test === 'string' ? () => false : test];
  });
  return (call) => call.name === name && tests.every(([key, test]) => Object.hasOwn(call.arguments, key) && test(call.arguments[key]!));
}

/** Every pattern must compile. It needs nothing of an example. */
export function checkToolCallCheck({ expected_tools }: ToolCallCheckScorer, path: string): ScorerCheck {
  expected_tools.forEach(({ expected_args: expected }, index) => {
    for (const [key, argument] of Object.entries(expected ?? {})) {
      const test = compileExpectedArgument(argument);
      if (typeof test !== 'string') continue;
      throw scorerRefusal(
        `${path}.expected_tools[${index}].expected_args.${key}.value`,
        test,
        'Write a pattern in RE2 syntax, or use match_mode "exact" or "contains".',
      );
    }
  });
  return acceptExample;
}
