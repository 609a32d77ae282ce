import { z } from 'zod';
import { JobState } from './job-state.js';

/** The answer to a submission. A repeated `Idempotency-Key` gets the first answer again. */
export const RunResponse = z
  .object({
    job_id: z.string(),
    state: JobState,
    effective_seed: z.string().meta({ description: 'u64 as a decimal string.' }),
    message: z.string(),
  })
  .meta({ id: 'RunResponse' });
export type RunResponse = z.infer<typeof RunResponse>;
