import { type JsonValue } from '@kiln/contracts';
import { type ScoringInput } from './scoring-input.js';

/** The conversation that a scorer sees (contracts.md §4.3): the prompt, and the answer with its tool calls as one message. */
export function answerTrace({ messages, text, toolCalls }: ScoringInput): JsonValue[] {
  const answer = { role: 'assistant', content: text, ...(toolCalls === null ? {} : { tool_calls: toolCalls }) };
  // Messages and an endpoint's calls were read from JSON.
  return [...messages, answer] as unknown as JsonValue[];
}
