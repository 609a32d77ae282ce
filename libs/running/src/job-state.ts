import { type JobState, type StopReason } from '@kiln/contracts';

/*
 * A job's states and the only moves between them:
 *
 *   queued ──first claim──▶ running ──all shards done──▶ completed | capped | failed
 *     │                        │
 *     └──cancel──▶ cancelled ◀─┴─cancel──▶ cancelling ──last lease gone──▶ cancelled
 *
 * A halt ends a job as `cancelled` with the stop reason `halted`. Terminal states never change.
 */

const TERMINAL: ReadonlySet<JobState> = new Set(['completed', 'capped', 'cancelled', 'failed']);

export function isTerminal(state: JobState): boolean {
  return TERMINAL.has(state);
}

/**
 * The state in which a job ends once none of its shards is unfinished.
 *
 * @param stopReason what stopped it before its last sample; null when nothing did
 */
export function finalState(stopReason: StopReason | null): Extract<JobState, 'completed' | 'capped' | 'cancelled'> {
  switch (stopReason) {
    case null:
      return 'completed';
    case 'cost_cap':
    case 'token_cap':
      return 'capped';
    case 'cancelled':
    case 'halted':
      return 'cancelled';
  }
}
