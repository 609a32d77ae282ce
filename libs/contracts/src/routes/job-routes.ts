import { z } from 'zod';
import { CancelResponse } from '../jobs/cancel-response.js';
import { JobKind, JobState } from '../jobs/job-state.js';
import { Job, JobSummary } from '../jobs/job.js';
import { LabelFilter } from '../jobs/label-filter.js';
import { nonBlankText } from '../scalars/text.js';
import { flag, JobParams, listed, page, pageQuery } from './route-fields.js';
import { type Route, json } from './route.js';

export const JobList = page('jobs', JobSummary).meta({ id: 'JobList' });
export type JobList = z.infer<typeof JobList>;

/** Longest time a request for a job waits for its end, in seconds. */
export const MAX_WAIT_SECONDS = 60;

export const jobRoutes = {
  listJobs: {
    method: 'GET',
    path: '/v1/eval/jobs',
    operationId: 'listJobs',
    tag: 'jobs',
    summary: 'List jobs, newest first',
    scope: 'eval:read',
    params: null,
    query: z.object({
      state: listed(JobState).exactOptional(),
      kind: listed(JobKind).exactOptional(),
      suite: nonBlankText(200).exactOptional().meta({ description: 'Name of the suite.' }),
      label: listed(LabelFilter).exactOptional().meta({ description: 'key=value; repeat it to demand several.' }),
      ...pageQuery,
    }),
    headers: null,
    body: null,
    success: { status: 200, payload: json(JobList) },
    errors: [],
  },
  getJob: {
    method: 'GET',
    path: '/v1/eval/jobs/{id}',
    operationId: 'getJob',
    tag: 'jobs',
    summary: 'Read a job: progress, metrics, verdicts',
    scope: 'eval:read',
    params: JobParams,
    query: z.object({
      wait: z.coerce
        .number()
        .min(0)
        .max(MAX_WAIT_SECONDS)
        .default(0)
        .meta({ description: 'Seconds to wait for the job to end before answering.' }),
    }),
    headers: null,
    body: null,
    success: { status: 200, payload: json(Job) },
    errors: ['eval_job_not_found'],
  },
  cancelJob: {
    method: 'DELETE',
    path: '/v1/eval/jobs/{id}',
    operationId: 'cancelJob',
    tag: 'jobs',
    summary: 'Cancel a job',
    description:
      'A finished job is left as it is, so a repeated cancel never destroys evidence. `purge=true` removes a finished job with its outcomes; it needs the scope `ops` and is refused while a verdict refers to the job.',
    scope: 'eval:run',
    params: JobParams,
    query: z.object({ purge: flag('Remove a finished job (scope ops).') }),
    headers: null,
    body: null,
    success: { status: 200, payload: json(CancelResponse) },
    errors: ['eval_job_not_found', 'eval_job_in_use'],
  },
  jobEvents: {
    method: 'GET',
    path: '/v1/eval/jobs/{id}/events',
    operationId: 'jobEvents',
    tag: 'jobs',
    summary: 'Follow a job',
    description:
      'Server-sent events. Each carries a JobEvent, the job’s state at that moment: `progress` while it runs, `end` once, then the stream closes. The event id names the state, so a client that reconnects with `Last-Event-ID` gets the current state if it differs, and misses nothing.',
    scope: 'eval:read',
    params: JobParams,
    query: null,
    headers: z.object({ 'last-event-id': z.string().max(512).exactOptional() }),
    body: null,
    success: { status: 200, payload: { mediaTypes: ['text/event-stream'], schema: null } },
    errors: ['eval_job_not_found', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
