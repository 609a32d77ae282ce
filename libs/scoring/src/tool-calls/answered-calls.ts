import { type ScoringInput } from '../scoring-input.js';
import { readParsedCalls, readToolCalls } from './read-tool-calls.js';
import { removeLeadingThinking } from './remove-leading-thinking.js';
import { NO_CALLS, type ToolCallReading } from './tool-call.js';

export interface AnsweredCalls extends ToolCallReading {
  /** The output is reasoning to its end. */
  readonly isAllThinking: boolean;
}

/** The calls of an answer: those that an endpoint had parsed, else those in its text. Reasoning holds no calls. */
export function answeredCalls({ text, rawText, unclosedThinking, toolCalls, tools }: ScoringInput): AnsweredCalls {
  if (toolCalls !== null) return { ...readParsedCalls(toolCalls), isAllThinking: false };
  const answer = unclosedThinking ? removeLeadingThinking(rawText, true) : removeLeadingThinking(text, false);
  if (answer === null) return { ...NO_CALLS, isAllThinking: true };
  return { ...readToolCalls(answer, tools), isAllThinking: false };
}
