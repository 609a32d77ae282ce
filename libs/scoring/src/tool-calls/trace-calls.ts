import { type ScoringInput } from '../scoring-input.js';
import { type Arguments } from './argument-value.js';
import { answeredCalls } from './answered-calls.js';
import { readParsedCalls } from './read-tool-calls.js';
import { type ToolCall } from './tool-call.js';

/** A call as the trace checks see it. */
export interface TracedCall {
  readonly name: string;
  /** Those that cannot be decoded are none. */
  readonly arguments: Arguments;
}

/** The steps of a trace: the prompt's messages and the answer. */
export interface Trace {
  readonly calls: readonly TracedCall[];
  /** Messages of the model, the answer included. */
  readonly modelResponses: number;
  /** Messages of the user. */
  readonly turns: number;
}

/** The trace of one sample; null when there are no messages, so that the answer stands alone. */
export function readTrace(input: ScoringInput): Trace | null {
  const { messages } = input;
  if (messages.length === 0) return null;
  const responses = messages.filter(({ role }) => role === 'assistant');
  const earlier = responses.flatMap(({ tool_calls: calls }) => (calls ? readParsedCalls(calls).calls : []));
  return {
    calls: [...earlier, ...answeredCalls(input).calls].map(tracedCall),
    modelResponses: responses.length + 1,
    turns: messages.filter(({ role }) => role === 'user').length,
  };
}

function tracedCall({ name, arguments: values, undecoded }: ToolCall): TracedCall {
  return { name, arguments: undecoded ? {} : values };
}
