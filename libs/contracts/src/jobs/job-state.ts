import { z } from 'zod';

/** `capped`: a cost or token cap stopped it; `cancelling`: samples in flight are being stopped. */
export const JobState = z.enum(['queued', 'running', 'cancelling', 'completed', 'capped', 'cancelled', 'failed']).meta({ id: 'JobState' });
export type JobState = z.infer<typeof JobState>;

export const JobKind = z.enum(['eval', 'compare', 'benchmark', 'replay', 'rescore']).meta({ id: 'JobKind' });
export type JobKind = z.infer<typeof JobKind>;

export const SubmissionKind = z.enum(['on_demand', 'post_training', 'compare']).meta({ id: 'SubmissionKind' });
export type SubmissionKind = z.infer<typeof SubmissionKind>;

/** What stopped a job before its last sample. */
export const StopReason = z.enum(['cost_cap', 'token_cap', 'cancelled', 'halted']).meta({ id: 'StopReason' });
export type StopReason = z.infer<typeof StopReason>;
