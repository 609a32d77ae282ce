import { type Score } from '@kiln/contracts';
import { scoreAnswer } from '../score-answer.fixture.js';
import { type ScoringInput } from '../scoring-input.js';

export type Call = readonly [name: string, values: object];

/** Calls in the canonical form. */
export function json(...calls: readonly Call[]): string {
  return JSON.stringify({ tool_calls: calls.map(([name, values]) => ({ name, arguments: values })) });
}

/** A call in Qwen's XML. */
export function xml([name, values]: Call): string {
  const parameters = Object.entries(values).map(
    ([key, value]) => `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`,
  );
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
}

/** Scores an answer with `tool_call`, with whatever is not its default. */
export function score(text: string, target: string, config: object = {}, rest: Partial<ScoringInput> = {}): Score {
  return scoreAnswer({ kind: 'tool_call', ...config }, text, { target, ...rest });
}
