import { type JsonValue } from '@kiln/contracts';
import { type ScoringInput } from './scoring-input.js';
import { answeredCalls } from './tool-calls/answered-calls.js';
import { argumentText } from './tool-calls/argument-value.js';
import { type ToolCall } from './tool-calls/tool-call.js';

/**
 * The conversation that an expression sees (contracts.md §4.3): the prompt, and the answer as one message. Its tool calls have
 * OpenAI's shape, with arguments as JSON text, also when they were read from the answer's text.
 */
export function answerTrace(input: ScoringInput): JsonValue[] {
  const calls = input.toolCalls ?? answeredCalls(input).calls.map(openAiCall);
  const answer = { role: 'assistant', content: input.text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  // Messages and an endpoint's calls were read from JSON.
  return [...input.messages, answer] as unknown as JsonValue[];
}

function openAiCall({ name, arguments: values }: ToolCall) {
  return { type: 'function', function: { name, arguments: argumentText(values) } };
}
