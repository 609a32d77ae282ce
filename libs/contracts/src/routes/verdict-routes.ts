import { GateRequest } from '../jobs/gate-request.js';
import { VerdictList } from '../results/verdict.js';
import { JobParams } from './route-fields.js';
import { type Route, json } from './route.js';

export const verdictRoutes = {
  decideVerdicts: {
    method: 'POST',
    path: '/v1/eval/jobs/{id}/verdict',
    operationId: 'decideVerdicts',
    tag: 'jobs',
    summary: 'Decide the candidates of a finished job by any policy',
    description:
      'Reduces the stored rows again and decides each candidate against the baseline. Stores nothing: the verdicts of the job’s own gate stay as they are, and the same gate gives the same bytes as they have.',
    scope: 'eval:read',
    params: JobParams,
    query: null,
    headers: null,
    body: json(GateRequest),
    success: { status: 200, payload: json(VerdictList) },
    errors: ['eval_job_not_found', 'eval_job_in_use', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
