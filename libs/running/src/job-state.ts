import { type JobState } from '@kiln/contracts';

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

/** Why a job stopped before its last sample; null while nothing stopped it. */
export type StopReason = 'cost_cap' | 'token_cap' | 'cancelled' | 'halted';

/** The state in which a job ends once none of its shards is unfinished. */
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
