import { z } from 'zod';
import { nonBlankText } from '../scalars/text.js';
import { BashScorer } from '../scorer/executed-scorers.js';
import { JudgeScorer } from '../scorer/judge-scorers.js';

const GRADER_TYPES = ['exact', 'contains', 'regex', 'json_schema', 'bash', 'judge'] as const;

/** How a case file grades (contracts.md §5.2). Unknown fields are refused, as in case files. */
export const Grader = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('exact') }),
      z.strictObject({ type: z.literal('contains') }),
      z.strictObject({ type: z.literal('regex') }),
      z.strictObject({ type: z.literal('json_schema') }),
      z.strictObject({ type: z.literal('bash'), timeout_ms: BashScorer.shape.timeout_ms }),
      z.strictObject({
        type: z.literal('judge'),
        provider: z
          .enum(['stub', 'claude', 'copilot'])
          .nullable()
          .default(null)
          .meta({ description: 'Not used: `model` names a published model.' }),
        model: nonBlankText(200).nullable().default(null).meta({ description: 'null = the job’s judge.' }),
        grader_reps: JudgeScorer.shape.grader_reps,
      }),
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? `unknown grader type; known types: ${GRADER_TYPES.join(', ')}` : undefined) },
  )
  .meta({ id: 'Grader' });
export type Grader = z.output<typeof Grader>;
