import { KilnError } from '@kiln/contracts';
import { UUID } from '../http/uuid.js';

export function isJobId(id: string): boolean {
  return UUID.test(id);
}

export function jobNotFound(id: string): KilnError {
  return new KilnError('eval_job_not_found', `there is no job ${JSON.stringify(id)}`, {
    hint: 'GET /v1/eval/jobs lists the jobs of this project.',
  });
}
