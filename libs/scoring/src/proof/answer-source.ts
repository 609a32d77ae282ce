import { type JsonObject } from '@kiln/contracts';

/** Why a scorer with a value_expression is not proved. */
export const READS_AN_EXPRESSION = 'value_expression takes the compared text out of the answer in a way that cannot be turned round';

/** The text that a key of an example's reference names; null when it names none. */
export function referenceText(reference: JsonObject | null, key: string): string | null {
  const value = reference !== null && Object.hasOwn(reference, key) ? reference[key] : undefined;
  return typeof value === 'string' ? value : null;
}
