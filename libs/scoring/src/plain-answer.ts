import { type JsonObject, type Message, type Tool } from '@kiln/contracts';
import { type ScoringInput } from './scoring-input.js';

/** What an answer is an answer to. */
export interface AnsweredExample {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[] | null;
  readonly target: string | null;
  readonly aliases: readonly string[];
  readonly reference: JsonObject | null;
}

/** The trace of a target that answered `text` and nothing else; what is left out of the example is not there. */
export function plainAnswer(
  text: string,
  { messages = [], tools = null, target = null, aliases = [], reference = null }: Partial<AnsweredExample> = {},
): ScoringInput {
  return {
    text,
    rawText: text,
    reasoningText: null,
    unclosedThinking: false,
    target,
    aliases,
    messages,
    tools,
    toolCalls: null,
    reference,
  };
}
