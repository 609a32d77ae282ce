import { USED_TRACES } from '../traces/used-traces.js';
import { type ShardPhase } from './lease.js';

/**
 * What counts as recorded of a run, as a subquery with the columns run_id, ordinal, completion_index, kind, score: outcomes, or,
 * while its samples are generated to be scored later, outcomes (of errors) and traces, its own and borrowed ones.
 */
export function recordedRows({ phase, scoredLater }: { phase: ShardPhase; scoredLater: boolean }): string {
  if (phase === 'score' || !scoredLater) return `(SELECT run_id, ordinal, completion_index, kind, score FROM outcomes)`;
  return `(SELECT run_id, ordinal, completion_index, kind, score FROM outcomes WHERE trace_id IS NULL
           UNION ALL SELECT run_id, ordinal, completion_index, NULL, 0 FROM ${USED_TRACES} used)`;
}
