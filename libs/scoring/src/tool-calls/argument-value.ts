import { type ExactJson, type ExactJsonObject } from '../json/exact-json.js';
import { isJsonObject } from '../json/is-json-object.js';
import { jsonText } from '../json/json-text.js';

/** JSON as a model wrote it. */
export type ArgumentValue = ExactJson;

/** The arguments of a call. */
export type Arguments = ExactJsonObject;

/** Deeper values are malformed: what compares and prints them may recurse. */
export const MAX_ARGUMENT_DEPTH = 64;

export function isArguments(value: unknown): value is Arguments {
  return isJsonObject(value);
}

/** The member of that name, inherited ones (`constructor`) aside; undefined when there is none. */
export function ownMember(value: Arguments, key: string): ArgumentValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value as text: a string as it is, anything else as JSON with sorted keys. At most {@link MAX_ARGUMENT_DEPTH} deep. */
export function argumentText(value: ArgumentValue): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Whether parsed JSON of any origin nests deeper than arguments may. No recursion. */
export function isTooDeep(root: unknown): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_ARGUMENT_DEPTH) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}
