import { z } from 'zod';
import { OutcomeKind } from '../outcome-kind.js';

/** Why a job evaluates a part of its suite: the examples of another job's outcomes. */
export const JobSelection = z
  .object({
    source_job_id: z.string(),
    outcome_kinds: z
      .array(OutcomeKind)
      .meta({ description: 'An example is selected when it came to one of these in any run of that job.' }),
    num_examples: z.int().min(1),
  })
  .meta({ id: 'JobSelection' });
export type JobSelection = z.infer<typeof JobSelection>;
