import { type Aggregation, type ReducedOutcome } from '@kiln/contracts';
import { reduceExample } from './reduce-example.js';
import { type ReducibleRow } from './reducers/reduction.js';

/**
 * Reduces rows that are held in memory, in any arrival order: one outcome per example, in order of the examples' first
 * appearance. Runs too large to hold are streamed with {@link groupByExample} instead.
 *
 * @throws one of the five {@link ReducerError}s for the first example whose rows are not its K completions.
 */
export function reduceOutcomes(aggregation: Aggregation, rows: Iterable<ReducibleRow>): ReducedOutcome[] {
  const groups = new Map<string, ReducibleRow[]>();
  for (const row of rows) {
    const group = groups.get(row.example_id);
    if (group) group.push(row);
    else groups.set(row.example_id, [row]);
  }
  return [...groups.values()].map((group) => reduceExample(aggregation, group));
}
