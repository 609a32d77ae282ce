import { type ScoringInput } from '../scoring-input.js';

const TOOL_CALLS = '\n\nTool calls: ';

/** Most bytes that {@link candidateText} adds to text and calls. */
export const CANDIDATE_EXTRA_BYTES = TOOL_CALLS.length;

/** An answer as a judge reads it: its text, and the tool calls that an endpoint returned beside it, as JSON (C43). */
export function candidateText(text: string, toolCalls: ScoringInput['toolCalls']): string {
  if (toolCalls === null || toolCalls.length === 0) return text;
  return `${text}${TOOL_CALLS}${JSON.stringify(toolCalls)}`.trimStart();
}
