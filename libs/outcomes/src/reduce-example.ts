import { type Aggregation, type OutcomeKind, type ReducedOutcome } from '@kiln/contracts';
import { majorityAtK } from './reducers/majority-at-k.js';
import { meanAtK } from './reducers/mean-at-k.js';
import { passAtK } from './reducers/pass-at-k.js';
import { passAtKEstimate } from './reducers/pass-at-k-estimate.js';
import { type JudgedRows, type ReducibleRow, type Reduction } from './reducers/reduction.js';
import { single } from './reducers/single.js';
import { requireReducible } from './require-reducible.js';

/**
 * Reduces the K completions of one example to its one outcome, the unit of all statistics (contracts §1.4). The order of
 * the rows does not matter.
 *
 * Skipped completions: the example must still have its K rows, indices 0 to K−1. Then
 *  - all skipped: the example is `skipped`, score 0, represented by completion 0; it leaves rates and pairing;
 *  - some skipped: the reducer runs over the others, as if the example had been asked that often. A skip says "not
 *    applicable", so it must neither count as a failure (the mean and the majority would sink) nor, by making the whole
 *    example skipped, erase failures that were measured. `num_skipped` says that it happened.
 *
 * @throws one of the five {@link ReducerError}s when the rows are not the example's K completions.
 */
export function reduceExample(aggregation: Aggregation, rows: readonly ReducibleRow[]): ReducedOutcome {
  requireReducible(aggregation, rows);
  const ordered = rows.toSorted((a, b) => a.completion_index - b.completion_index) as [ReducibleRow, ...ReducibleRow[]];
  const judged = ordered.filter((row) => row.kind !== 'skipped');
  const { kind, score, representative } = hasRows(judged)
    ? reduction(aggregation, judged)
    : ({ kind: 'skipped', score: 0, representative: ordered[0] } as const);
  return {
    example_id: representative.example_id,
    kind,
    score,
    completion_indices: ordered.map((row) => row.completion_index),
    representative_completion_index: representative.completion_index,
    num_pass: count(ordered, 'pass'),
    num_fail: count(ordered, 'fail'),
    num_invalid: count(ordered, 'invalid'),
    num_error: count(ordered, 'error'),
    num_skipped: count(ordered, 'skipped'),
    tags: [...representative.tags],
    metadata: representative.metadata,
  };
}

function reduction(aggregation: Aggregation, rows: JudgedRows): Reduction {
  switch (aggregation.kind) {
    case 'single':
      return single(rows);
    case 'mean_at_k':
      return meanAtK(rows);
    case 'pass_at_k':
      return passAtK(rows);
    case 'majority_at_k':
      return majorityAtK(rows);
    case 'pass_at_k_estimate':
      return passAtKEstimate(rows, aggregation.k);
  }
}

function hasRows(rows: readonly ReducibleRow[]): rows is JudgedRows {
  return rows.length > 0;
}

function count(rows: readonly ReducibleRow[], kind: OutcomeKind): number {
  return rows.filter((row) => row.kind === kind).length;
}
