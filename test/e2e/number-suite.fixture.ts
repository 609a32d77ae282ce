import { type SuiteInput } from '@kiln/contracts';

export interface NumberSuiteOptions {
  name: string;
  examples: number;
  /** Completions per example; default 1. */
  k?: number;
  /** What answers are compared with; default: the prompt, so that an echo passes. */
  expected?: (index: number) => string;
  maxTokens?: number;
}

/** The prompt of example `index`; its id is the same text. */
export function promptOf(index: number): string {
  return `q-${String(index).padStart(4, '0')}`;
}

/**
 * A suite whose example i asks "q-000i" and is scored by exact match. Tags say whether i is even, the weight is 1 or 2, and
 * several completions reduce by their mean.
 */
export function numberSuite({ name, examples, k = 1, expected = promptOf, maxTokens = 20 }: NumberSuiteOptions): SuiteInput {
  return {
    name,
    schema_version: 2,
    default_scorer: { kind: 'exact_match' },
    generation: { n: k, max_tokens: maxTokens, temperature: 0.7 },
    aggregation: k === 1 ? { kind: 'single' } : { kind: 'mean_at_k', k },
    examples: Array.from({ length: examples }, (_, index) => ({
      id: promptOf(index),
      messages: [{ role: 'user' as const, content: promptOf(index) }],
      target: expected(index),
      tags: [index % 2 === 0 ? 'even' : 'odd'],
      weight: 1 + (index % 2),
    })),
  };
}
