import { z } from 'zod';
import { OutcomeKind } from '../outcome-kind.js';
import { ComparisonList } from '../results/comparison.js';
import { RawOutcome } from '../results/raw-outcome.js';
import { ReducedOutcome } from '../results/reduced-outcome.js';
import { JobParams, listed, page, pageQuery } from './route-fields.js';
import { type Route, json } from './route.js';

export const OutcomeList = page('outcomes', RawOutcome).meta({ id: 'OutcomeList' });
export type OutcomeList = z.infer<typeof OutcomeList>;

export const AggregatedOutcomeList = page('aggregated_outcomes', ReducedOutcome).meta({ id: 'AggregatedOutcomeList' });
export type AggregatedOutcomeList = z.infer<typeof AggregatedOutcomeList>;

const outcomeQuery = z.object({
  run_index: z.coerce.number().int().min(0).default(0).meta({ description: '0 = the baseline.' }),
  kind: listed(OutcomeKind).exactOptional(),
  ...pageQuery,
});

export const outcomeRoutes = {
  listOutcomes: {
    method: 'GET',
    path: '/v1/eval/jobs/{id}/outcomes',
    operationId: 'listOutcomes',
    tag: 'jobs',
    summary: 'List every completion of a run',
    description: 'In suite order, then by completion index. Available while the job runs.',
    scope: 'eval:read',
    params: JobParams,
    query: outcomeQuery,
    headers: null,
    body: null,
    success: { status: 200, payload: json(OutcomeList) },
    errors: ['eval_job_not_found'],
  },
  listAggregatedOutcomes: {
    method: 'GET',
    path: '/v1/eval/jobs/{id}/aggregated_outcomes',
    operationId: 'listAggregatedOutcomes',
    tag: 'jobs',
    summary: 'List the one outcome of each example of a run',
    description: 'In suite order. Empty until the job is finished; incomplete examples have none.',
    scope: 'eval:read',
    params: JobParams,
    query: outcomeQuery,
    headers: null,
    body: null,
    success: { status: 200, payload: json(AggregatedOutcomeList) },
    errors: ['eval_job_not_found'],
  },
  getComparison: {
    method: 'GET',
    path: '/v1/eval/jobs/{id}/comparison',
    operationId: 'getComparison',
    tag: 'jobs',
    summary: 'Compare each candidate of a job with its baseline',
    description: 'Empty until the job is finished, and for jobs of one target.',
    scope: 'eval:read',
    params: JobParams,
    query: null,
    headers: null,
    body: null,
    success: { status: 200, payload: json(ComparisonList) },
    errors: ['eval_job_not_found'],
  },
  exportOutcomes: {
    method: 'GET',
    path: '/v1/eval/jobs/{id}/export',
    operationId: 'exportOutcomes',
    tag: 'jobs',
    summary: 'Download every completion of a job',
    description: 'Streamed: one line a completion, of all runs, each with its run’s index and name.',
    scope: 'eval:read',
    params: JobParams,
    query: z.object({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
    headers: null,
    body: null,
    success: { status: 200, payload: { mediaTypes: ['application/jsonl', 'text/csv'], schema: null } },
    errors: ['eval_job_not_found'],
  },
  getReplayRecord: {
    method: 'GET',
    path: '/v1/eval/jobs/{id}/replay-record',
    operationId: 'getReplayRecord',
    tag: 'jobs',
    summary: 'Download the replay record of a completed run',
    description:
      'JSON lines (RFC 8785), streamed. The first is the header ReplayRecordHeader, as it was frozen when the job was completed. Then, for each example in suite order: `{"type": "example", …}` with the example itself, `ReplaySettingsLine`, and a `ReplayCompletionLine` for each completion.',
    scope: 'eval:read',
    params: JobParams,
    query: z.object({ run_index: z.coerce.number().int().min(0).default(0).meta({ description: '0 = the baseline.' }) }),
    headers: null,
    body: null,
    success: { status: 200, payload: { mediaTypes: ['application/jsonl'], schema: null } },
    errors: ['eval_job_not_found'],
  },
} as const satisfies Record<string, Route>;
