import { aggregationLabel, cardinality, type Example, type Generation, KilnError, type SuiteHeader } from '@kiln/contracts';
import { effectiveGeneration } from './effective-settings.js';
import { type ExamplePlace, exampleError } from './example-place.js';

/**
 * Checks that an example asks for exactly the completions that the suite's reducer takes (contracts.md §1.2).
 *
 * @param override the run's generation settings; null at registration.
 * @throws {KilnError} naming the field whose `n` is wrong: the example's, else the override's, else the suite's.
 */
export function checkCompletionCount(
  header: SuiteHeader,
  example: Pick<Example, 'generation'>,
  override: Generation | null,
  place: ExamplePlace,
): void {
  const { n } = effectiveGeneration(header, example, override);
  if (n === cardinality(header.aggregation)) return;
  if (example.generation) throw exampleError(place, 'generation.n', ...mismatch(header, n));
  const [message, hint] = mismatch(header, n);
  throw new KilnError('eval_invalid_request', `generation.n: ${message}`, { path: 'generation.n', hint });
}

/**
 * The check that admission repeats for a run-level override. It concerns the examples without settings of their own, so
 * it can be left out when every example has some.
 *
 * @throws {KilnError} when the override's n is not what the suite's reducer takes.
 */
export function checkRunOverride(header: SuiteHeader, override: Generation): void {
  checkCompletionCount(header, { generation: null }, override, { ordinal: 0 });
}

function mismatch(header: SuiteHeader, n: number): [message: string, hint: string] {
  const needed = cardinality(header.aggregation);
  const label = aggregationLabel(header.aggregation);
  return [
    `is ${n}, but the aggregation ${label} takes exactly ${needed} ${needed === 1 ? 'completion' : 'completions'} of every example`,
    `Set n to ${needed}, or change the aggregation of the suite. Settings replace each other as a whole, so a missing n is 1.`,
  ];
}
