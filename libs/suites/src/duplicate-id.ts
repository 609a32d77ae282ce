import { KilnError } from '@kiln/contracts';
import { describePlace, type ExamplePlace, fieldAt } from './example-place.js';

/**
 * The error for two examples with one id.
 *
 * @param first, second where they stand, in suite order.
 * @param derived whether the second has no written id, so that the two ask the same.
 */
export function duplicateIdError(id: string, first: ExamplePlace, second: ExamplePlace, derived: boolean): KilnError {
  const message = derived
    ? `${describePlace(second)} has the same messages, target and aliases as ${describePlace(first)}, so both get the id ${JSON.stringify(id)}`
    : `${fieldAt(second, 'id')} duplicates ${fieldAt(first, 'id')} ${JSON.stringify(id)}`;
  const fix = derived ? 'remove one, or give each its own id' : 'give each example its own id';
  return new KilnError('eval_invalid_request', `${message}; ${fix}`, {
    path: fieldAt(second, 'id'),
    hint: 'Comparisons pair examples by id.',
  });
}
