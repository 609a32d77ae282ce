import { type WorkBudget } from '../work-budget.js';
import { TooDeepError } from './too-deep-error.js';

const MAX_DEPTH = 200;

/**
 * `value` as JSON without white space and with sorted keys, so that equal values are equal texts. An absent value is null, a
 * bigint a number.
 *
 * @param work what the text may cost; nothing is counted without it
 * @throws TooDeepError
 * @throws TooCostlyError
 */
export function jsonText(value: unknown, work?: WorkBudget, depth = 0): string {
  work?.spend(typeof value === 'string' ? 1 + value.length : 1);
  if (typeof value === 'bigint') return digitsOf(value, work);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (depth >= MAX_DEPTH) throw new TooDeepError(MAX_DEPTH);
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item, work, depth + 1)).join(',')}]`;
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${jsonText(key, work, depth + 1)}:${jsonText((value as Record<string, unknown>)[key], work, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function digitsOf(value: bigint, work: WorkBudget | undefined): string {
  const digits = value.toString();
  work?.spend(digits.length);
  return digits;
}
