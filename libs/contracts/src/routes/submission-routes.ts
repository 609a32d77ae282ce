import { CompareRequest } from '../jobs/compare-request.js';
import { ReplayRequest } from '../jobs/replay-request.js';
import { RerunRequest } from '../jobs/rerun-request.js';
import { RescoreRequest } from '../jobs/rescore-request.js';
import { RunRequest } from '../jobs/run-request.js';
import { RunResponse } from '../jobs/run-response.js';
import { IdempotencyHeaders, JobParams } from './route-fields.js';
import { type Route, json } from './route.js';

/** What admission may refuse, whatever the kind of job. */
const admissionErrors = [
  'eval_suite_not_found',
  'model_not_found',
  'adapter_not_found',
  'target_not_served',
  'eval_registry_unavailable',
  'idempotency_key_reused',
  'eval_queue_full',
  'eval_tracked_full',
  'halted',
] as const;

export const submissionRoutes = {
  submitRun: {
    method: 'POST',
    path: '/v1/eval/run',
    operationId: 'submitRun',
    tag: 'jobs',
    summary: 'Evaluate one target on one suite',
    description: 'Freezes suite, target, settings and seed, then answers; the work follows. Follow it with getJob or jobEvents.',
    scope: 'eval:run',
    params: null,
    query: null,
    headers: IdempotencyHeaders,
    body: json(RunRequest),
    success: { status: 200, payload: json(RunResponse) },
    errors: [...admissionErrors, 'invalid_suite_name'],
  },
  submitCompare: {
    method: 'POST',
    path: '/v1/eval/compare',
    operationId: 'submitCompare',
    tag: 'jobs',
    summary: 'Compare up to eight targets on one suite with one seed',
    description:
      'The first target, or the one named by `baseline`, is what the others are compared with. A `gate` gives a verdict for each of them.',
    scope: 'eval:run',
    params: null,
    query: null,
    headers: IdempotencyHeaders,
    body: json(CompareRequest),
    success: { status: 200, payload: json(RunResponse) },
    errors: [...admissionErrors, 'invalid_suite_name'],
  },
  submitRescore: {
    method: 'POST',
    path: '/v1/eval/jobs/{id}/rescore',
    operationId: 'submitRescore',
    tag: 'jobs',
    summary: 'Score the traces of a finished job with other scorers or judges',
    description:
      'Generates nothing: each scorer makes one run per run of the job, on the same traces. A trace that a scorer has scored before keeps that score. The first run is the one that the others are compared with, so two judges can be measured against each other.',
    scope: 'eval:run',
    params: JobParams,
    query: null,
    headers: IdempotencyHeaders,
    body: json(RescoreRequest),
    success: { status: 200, payload: json(RunResponse) },
    errors: [...admissionErrors, 'eval_job_not_found', 'eval_job_in_use'],
  },
  submitReplay: {
    method: 'POST',
    path: '/v1/eval/jobs/{id}/replay',
    operationId: 'submitReplay',
    tag: 'jobs',
    summary: 'Generate a run of a completed job again and compare tokens and bytes',
    description:
      'Refused with 400 before anything is queued unless the run is strict (see getReplayRecord) and suite, scorers, model files, adapter and execution are still those of its record. The job’s replay_verdict says `matched`, `mismatch` with the first difference, or `error`.',
    scope: 'eval:run',
    params: JobParams,
    query: null,
    headers: IdempotencyHeaders,
    body: json(ReplayRequest),
    success: { status: 200, payload: json(RunResponse) },
    errors: [...admissionErrors, 'eval_job_not_found'],
  },
  submitRerun: {
    method: 'POST',
    path: '/v1/eval/jobs/{id}/rerun',
    operationId: 'submitRerun',
    tag: 'jobs',
    summary: 'Run the examples of a finished job again that failed in any of its runs',
    description:
      'The same version of the suite, settings and seed, on the targets of the job as they are now or on another adapter. Nothing is reused. Refused with 400 when no example is selected.',
    scope: 'eval:run',
    params: JobParams,
    query: null,
    headers: IdempotencyHeaders,
    body: json(RerunRequest),
    success: { status: 200, payload: json(RunResponse) },
    errors: [...admissionErrors, 'eval_job_not_found', 'eval_job_in_use'],
  },
} as const satisfies Record<string, Route>;
