import { z } from 'zod';

export const ScorerKind = z
  .enum([
    'exact_match',
    'contains',
    'regex',
    'pattern_match',
    'json_validity',
    'json_schema',
    'multiple_choice',
    'numeric_tolerance',
    'set_check',
    'tool_call',
    'tool_call_check',
    'step_count_check',
    'code',
    'python_doctest',
    'code_eval',
    'bash',
    'llm_judge',
    'judge',
    'pairwise_judge',
    'all',
    'any',
  ])
  .meta({ id: 'ScorerKind' });
export type ScorerKind = z.infer<typeof ScorerKind>;
