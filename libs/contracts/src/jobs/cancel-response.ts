import { z } from 'zod';
import { JobState } from './job-state.js';

/**
 * The answer to DELETE on a job: a queued job is `cancelled` at once, a running one is `cancelling`, a finished one is
 * left as it is (its evidence stays), and `?purge=true` removes a finished one.
 */
export const CancelResponse = z
  .object({
    job_id: z.string(),
    status: z.enum(['cancelled', 'cancelling', 'unchanged', 'purged']),
    state: JobState.nullable().meta({ description: 'null once purged.' }),
    was_in_queue: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'CancelResponse' });
export type CancelResponse = z.infer<typeof CancelResponse>;
