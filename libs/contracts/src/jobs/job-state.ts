import { z } from 'zod';

/** `capped`: a cost or token cap stopped it; `cancelling`: samples in flight are being stopped. */
export const JobState = z
  .enum(['queued', 'running', 'cancelling', 'completed', 'capped', 'cancelled', 'failed'])
  .meta({ id: 'JobState' });
export type JobState = z.infer<typeof JobState>;

const TERMINAL: ReadonlySet<JobState> = new Set<JobState>(['completed', 'capped', 'cancelled', 'failed']);

/** Whether a job in `state` never changes again. */
export function isTerminal(state: JobState): boolean {
  return TERMINAL.has(state);
}

export const JobKind = z.enum(['eval', 'compare', 'benchmark', 'replay', 'rescore']).meta({ id: 'JobKind' });
export type JobKind = z.infer<typeof JobKind>;

export const SubmissionKind = z.enum(['on_demand', 'post_training', 'compare']).meta({ id: 'SubmissionKind' });
export type SubmissionKind = z.infer<typeof SubmissionKind>;

/** Why a job ended before its last sample; null for one that ran to its end. */
export const StopReason = z.enum(['cancelled', 'halted', 'cost_cap', 'token_cap', 'failed']).meta({ id: 'StopReason' });
export type StopReason = z.infer<typeof StopReason>;
