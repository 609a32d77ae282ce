import { z } from 'zod';

export const ScorerKind = z
  .enum([
    'exact_match',
    'contains',
    'regex',
    'json_validity',
    'multiple_choice',
    'numeric_tolerance',
    'llm_judge',
    'tool_call',
    'code',
    'python_doctest',
    'all',
    'any',
  ])
  .meta({ id: 'ScorerKind' });
export type ScorerKind = z.infer<typeof ScorerKind>;
