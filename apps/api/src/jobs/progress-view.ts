import { type JobEvent, type Progress } from '@kiln/contracts';
import { type JobSnapshot, type ProgressRow } from '@kiln/database';

interface JobSize {
  exampleCount: number;
  /** Completions per example. */
  k: number;
  runCount: number;
}

/**
 * How far a job is. Shards count samples; an example is complete when all its completions are, so while a job runs the
 * number of complete examples is a lower estimate: samples ÷ k.
 */
export function progressView({ recorded, passed, scoreSum, generated }: ProgressRow, { exampleCount, k, runCount }: JobSize): Progress {
  return {
    examples_completed: Math.floor(recorded / k),
    examples_total: exampleCount * runCount,
    samples_completed: recorded,
    samples_total: exampleCount * runCount * k,
    samples_generated: generated,
    running_accuracy: recorded === 0 ? null : clamp(passed / recorded),
    running_mean_score: recorded === 0 ? null : clamp(scoreSum / recorded),
  };
}

export function jobEvent(snapshot: JobSnapshot): JobEvent {
  return {
    job_id: snapshot.id,
    state: snapshot.state,
    stop_reason: snapshot.stopReason,
    progress: progressView(snapshot.progress, snapshot),
  };
}

/** The event's id: two snapshots with one id look the same to a reader, so a reconnect needs no log of events. */
export function snapshotId({ state, stopReason, progress }: JobSnapshot): string {
  return `${state}.${stopReason ?? '-'}.${progress.recorded}.${progress.passed}.${progress.generated}`;
}

/** Sums of floating-point scores may end a hair beside 0 or 1. */
function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
