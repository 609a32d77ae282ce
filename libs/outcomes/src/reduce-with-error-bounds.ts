import { type Aggregation, type ReducedOutcome } from '@kiln/contracts';
import { reduceExample } from './reduce-example.js';
import { type ReducibleRow } from './reducers/reduction.js';

/** An example as measured, and as it would be had every `error` been a failure, or a pass. */
export interface BoundedOutcome {
  readonly actual: ReducedOutcome;
  /** Each `error` row as fail with score 0. */
  readonly worst: ReducedOutcome;
  /** Each `error` row as pass with score 1. */
  readonly best: ReducedOutcome;
}

/**
 * Reduces an example three times: an `error` was never measured, so the truth lies somewhere from `worst` to `best`
 * (ruling 18). Without errors all three are the same object.
 *
 * @throws one of the five {@link ReducerError}s, as {@link reduceExample}.
 */
export function reduceWithErrorBounds(aggregation: Aggregation, rows: readonly ReducibleRow[]): BoundedOutcome {
  const actual = reduceExample(aggregation, rows);
  if (actual.num_error === 0) return { actual, worst: actual, best: actual };
  return {
    actual,
    worst: reduceExample(
      aggregation,
      rows.map((row) => (row.kind === 'error' ? { ...row, kind: 'fail', score: 0 } : row)),
    ),
    best: reduceExample(
      aggregation,
      rows.map((row) => (row.kind === 'error' ? { ...row, kind: 'pass', score: 1 } : row)),
    ),
  };
}
