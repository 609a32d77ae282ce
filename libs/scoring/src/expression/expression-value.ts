import { equalJsonValues } from '../json/equal-json.js';
import { type ExactJson, type ExactJsonObject } from '../json/exact-json.js';
import { isJsonObject } from '../json/is-json-object.js';
import { UnresolvedError } from './expression-errors.js';
import { jsonText } from '../json/json-text.js';
import { type WorkBudget } from '../work-budget.js';

/** What an expression computes with: JSON, or undefined for what is not there. Never a function, never a class instance. */
export type Value = ExactJson | undefined;

export function isObject(value: Value): value is ExactJsonObject {
  return isJsonObject(value);
}

/** Integers that no 64-bit float holds are bigints, the other numbers floats. */
export function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

export function isInteger(value: Value): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** As in Jinja: nothing, zero and what is empty are false. */
export function isTruthy(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Text is taken as it is, everything else as JSON. @throws UnresolvedError for undefined */
export function textOf(value: Value, work: WorkBudget): string {
  if (value === undefined) throw new UnresolvedError('an absent value has no text');
  return typeof value === 'string' ? value : jsonText(value, work);
}

/** JSON equality: key order does not matter, true is not 1. */
export function equalValues(left: Value, right: Value, work: WorkBudget): boolean {
  return equalJsonValues(left, right, work);
}

/** Below 0 when `left` comes first. @throws UnresolvedError unless both are numbers or both are texts */
export function compareValues(left: Value, right: Value): number {
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : Number(left > right);
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  throw new UnresolvedError('only two numbers or two texts have an order');
}

/** Whether `item` is an element of a list, a part of a text or a key of an object. @throws UnresolvedError for others */
export function isIn(item: Value, container: Value, work: WorkBudget): boolean {
  if (Array.isArray(container)) return container.some((element) => equalValues(item, element, work));
  if (typeof item === 'string') {
    if (typeof container === 'string') return containsText(container, item, work);
    if (isObject(container)) return Object.hasOwn(container, item);
  }
  throw new UnresolvedError('"in" needs a list, or a text in a text or in the keys of an object');
}

function containsText(text: string, part: string, work: WorkBudget): boolean {
  work.spend(text.length + part.length);
  return text.includes(part);
}

/**
 * A member by key or by index, from the end when negative; undefined when it is not there. Own members only: no prototype
 * and no constructor can be reached.
 */
export function memberOf(value: Value, key: Value): Value {
  if (typeof key === 'string') return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  if (typeof key !== 'number') return undefined;
  return Array.isArray(value) || typeof value === 'string' ? value.at(key) : undefined;
}

/** Follows `a.b.0`: a key in objects, an index in lists. */
export function pathOf(value: Value, path: string): Value {
  return path
    .split('.')
    .reduce<Value>((at, part) => (Array.isArray(at) && /^\d+$/.test(part) ? at[Number(part)] : memberOf(at, part)), value);
}
