import { type ScoringInput } from '../scoring-input.js';
import { type ProvedExample } from './mutant.js';

/** The trace of a target that answered `text` and nothing else. */
export function proofInput({ target, aliases, messages, tools, reference }: ProvedExample, text: string): ScoringInput {
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
