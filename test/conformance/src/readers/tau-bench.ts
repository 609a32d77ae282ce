import { type JsonValue, Message } from '@kiln/contracts';
import { z } from 'zod';
import { type ReadRow, suiteDataSet } from '../data-set.js';

const Row = z.object({ id: z.string(), messages: z.array(Message).min(2) });

/**
 * Real trajectories, cut before the last answer: which tools were called with what, in which order and how often. The expectation is read
 * from the trajectory's own calls, and the same trajectory must meet it; one call more must not.
 */
function readTrajectory({ id, messages }: z.infer<typeof Row>): ReadRow {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[last]!;
  const calls = messages.slice(0, last + 1).flatMap(({ tool_calls: made = [] }) => made);
  const count = { kind: 'step_count_check', count_type: 'tool_calls', min_count: calls.length, max_count: calls.length };
  const check = { kind: 'tool_call_check', match_mode: 'ordered', on_unexpected_tools: 'fail', expected_tools: calls.map(expectedTool) };
  const toolCalls = answer.tool_calls ?? [];
  const extra = { type: 'function', function: { name: 'think', arguments: '{}' } };
  return [
    {
      example: {
        id,
        messages: messages.slice(0, last),
        scorer: calls.length === 0 ? count : { kind: 'all', scorers: [check, count] },
      },
      answers: [
        { name: 'recorded', text: answer.content, toolCalls, expected: 'pass' },
        { name: 'with another call', text: answer.content, toolCalls: [...toolCalls, extra], expected: 'wrong' },
      ],
    },
  ];
}

function expectedTool(call: Record<string, JsonValue>): object {
  const { name, arguments: text } = z.object({ name: z.string(), arguments: z.string() }).parse(call['function']);
  const values = z.record(z.string(), z.json()).parse(JSON.parse(text));
  return { tool_name: name, expected_args: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])) };
}

const scorer = { kind: 'step_count_check', count_type: 'turns', min_count: 1 };

export const tauAirline = suiteDataSet({
  name: 'tau_airline',
  file: 'traj_openai_tau_airline.jsonl',
  row: Row,
  scorer,
  read: readTrajectory,
});
export const tauWithSystem = suiteDataSet({
  name: 'tau_with_system',
  file: 'traj_openai_tau_with_system.jsonl',
  row: Row,
  scorer,
  read: readTrajectory,
});
