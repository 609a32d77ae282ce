import { type JsonObject } from '@kiln/contracts';
import { canonicalJson } from '../canonical-json.js';

/** A field that two objects do not share; JSON text, or null where it is absent. */
export interface FieldDifference {
  field: string;
  expected: string | null;
  actual: string | null;
}

/** The top-level fields in which two JSON objects differ, by name. */
export function differingFields(expected: JsonObject, actual: JsonObject): FieldDifference[] {
  const text = (object: JsonObject, field: string): string | null => (Object.hasOwn(object, field) ? canonicalJson(object[field]) : null);
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    .toSorted()
    .map((field) => ({ field, expected: text(expected, field), actual: text(actual, field) }))
    .filter((difference) => difference.expected !== difference.actual);
}
