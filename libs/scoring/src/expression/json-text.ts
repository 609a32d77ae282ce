import { type JsonValue } from '@kiln/contracts';
import { UnresolvedError } from './expression-errors.js';
import { type WorkBudget } from './work-budget.js';

const MAX_DEPTH = 200;

/**
 * `value` as JSON without white space and with sorted keys, so that equal values are equal texts. An absent value inside
 * is null.
 *
 * @throws UnresolvedError when it is nested too deeply.
 * @throws TooCostlyError
 */
export function jsonText(value: JsonValue | undefined, work: WorkBudget, depth = 0): string {
  work.spend(1);
  if (typeof value === 'string') work.spend(value.length);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (depth >= MAX_DEPTH) throw new UnresolvedError(`the value is nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item, work, depth + 1)).join(',')}]`;
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${jsonText(key, work, depth + 1)}:${jsonText(value[key], work, depth + 1)}`);
  return `{${members.join(',')}}`;
}
