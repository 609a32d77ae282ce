import { KilnError } from '@kiln/contracts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Anything else names no job, and would be an error of types in SQL. */
export function isJobId(id: string): boolean {
  return UUID.test(id);
}

export function jobNotFound(id: string): KilnError {
  return new KilnError('eval_job_not_found', `there is no job ${JSON.stringify(id)}`, {
    hint: 'GET /v1/eval/jobs lists the jobs of this project.',
  });
}
