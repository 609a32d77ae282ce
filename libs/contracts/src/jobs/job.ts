import { z } from 'zod';
import { ReplayVerdict } from '../replay/replay-verdict.js';
import { Verdict } from '../results/verdict.js';
import { Instant } from '../scalars/instant.js';
import { Aggregation } from '../suites/aggregation.js';
import { Generation } from '../suites/generation.js';
import { GateRequest } from './gate-request.js';
import { JobSelection } from './job-selection.js';
import { JobKind, JobState, StopReason, SubmissionKind } from './job-state.js';
import { Progress } from './progress.js';
import { RunView, Spend } from './run-view.js';

/** Who submitted a job, and through what. */
export const Origin = z
  .object({
    actor: z.string().meta({ description: 'Name of the API key.' }),
    source: z.string().meta({ description: 'Through what: rest or cli.' }),
  })
  .meta({ id: 'Origin' });
export type Origin = z.infer<typeof Origin>;

const Link = z.string().meta({ description: 'Path on this server.' });

/** A job as the API answers it: inputs, progress, metrics and verdicts; rows are behind the links. */
export const Job = z
  .object({
    id: z.string(),
    kind: JobKind,
    submission_kind: SubmissionKind,
    state: JobState,
    stop_reason: StopReason.nullable().meta({ description: 'null for a job that ran to its end.' }),
    error: z.string().nullable().meta({ description: 'Why the job failed.' }),
    origin: Origin,
    labels: z.record(z.string(), z.string()),
    suite: z.object({
      name: z.string(),
      hash: z.string(),
      schema_version: z.union([z.literal(1), z.literal(2)]),
      num_examples: z.int().min(1),
      scorer_waiver: z.string().nullable().meta({ description: 'Why the suite may gate although its scorers accept wrong answers.' }),
    }),
    effective_seed: z.string().meta({ description: 'u64 as a decimal string.' }),
    generation: Generation.nullable().meta({ description: 'The override of the request; null = the suite’s settings.' }),
    aggregation: Aggregation,
    gate: GateRequest.nullable(),
    progress: Progress,
    source_job_id: z.string().nullable().meta({ description: 'The job whose traces are scored, or that is replayed or run again.' }),
    selection: JobSelection.nullable().meta({ description: 'The part of the suite that is evaluated; null = all of it.' }),
    replay_verdict: ReplayVerdict.nullable().meta({ description: 'Of a finished replay; null for other jobs, and for one that failed.' }),
    reuse: z.enum(['auto', 'never']),
    cost_cap: z.string().nullable(),
    token_cap: z.int().nullable(),
    concurrency: z.int().nullable(),
    spend: Spend,
    runs: z.array(RunView),
    verdicts: z.array(Verdict),
    created_at: Instant,
    started_at: Instant.nullable(),
    finished_at: Instant.nullable(),
    links: z.object({
      self: Link,
      outcomes: Link,
      aggregated_outcomes: Link,
      comparison: Link,
      export: Link,
      events: Link,
    }),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

/** A job in a list. */
export const JobSummary = Job.pick({
  id: true,
  kind: true,
  submission_kind: true,
  state: true,
  stop_reason: true,
  origin: true,
  labels: true,
  suite: true,
  effective_seed: true,
  progress: true,
  created_at: true,
  started_at: true,
  finished_at: true,
})
  .extend({ targets: z.array(z.string()).meta({ description: 'Names, the baseline first.' }) })
  .meta({ id: 'JobSummary' });
export type JobSummary = z.infer<typeof JobSummary>;

/** What an event of the stream `/v1/eval/jobs/{id}/events` carries: the job's current state, never a difference. */
export const JobEvent = z
  .object({ job_id: z.string(), state: JobState, stop_reason: StopReason.nullable(), progress: Progress })
  .meta({ id: 'JobEvent' });
export type JobEvent = z.infer<typeof JobEvent>;
