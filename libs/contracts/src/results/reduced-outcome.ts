import { z } from 'zod';
import { OutcomeKind } from '../outcome-kind.js';
import { Fraction } from '../scalars/fraction.js';
import { JsonObject } from '../scalars/json-value.js';

const Count = z.int().min(0);

/** The one record of an example in a run: what its completions came to. The only unit of statistical evidence. */
export const ReducedOutcome = z
  .object({
    example_id: z.string(),
    kind: OutcomeKind,
    score: Fraction,
    completion_indices: z.array(Count),
    representative_completion_index: Count,
    num_pass: Count,
    num_fail: Count,
    num_invalid: Count,
    num_error: Count,
    num_skipped: Count,
    tags: z.array(z.string()),
    metadata: JsonObject.nullable(),
  })
  .meta({ id: 'ReducedOutcome' });
export type ReducedOutcome = z.infer<typeof ReducedOutcome>;
