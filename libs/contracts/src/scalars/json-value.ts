import { z } from 'zod';
import { unstorableReason } from './text.js';

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Deeper values are refused: hashing and database functions recurse, and nobody writes this by hand. */
export const MAX_JSON_DEPTH = 64;

interface Flaw {
  path: (string | number)[];
  message: string;
}

/**
 * The first thing in `root` that JSON or the database cannot hold (not a JSON type, a non-finite number, NUL, half a
 * surrogate pair, nesting over {@link MAX_JSON_DEPTH}), with its path; null when there is none.
 * Walks with an explicit stack, so that hostile nesting cannot exhaust the call stack.
 */
export function jsonFlaw(root: unknown): Flaw | null {
  const stack: { value: unknown; path: (string | number)[] }[] = [{ value: root, path: [] }];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { value, path } = entry;
    const message = scalarFlaw(value);
    if (message) return { path, message };
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= MAX_JSON_DEPTH) return { path, message: `is nested deeper than ${MAX_JSON_DEPTH} levels; flatten it` };
    for (const [key, child] of Object.entries(value).toReversed()) {
      const reason = unstorableReason(key);
      if (reason) return { path, message: `has a key that ${reason}` };
      stack.push({ value: child, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return null;
}

function scalarFlaw(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return unstorableReason(value);
    case 'number':
      return Number.isFinite(value) ? null : 'must be a finite number; JSON has no NaN and no infinity';
    case 'boolean':
      return null;
    case 'object':
      return value === null || Array.isArray(value) || isPlainObject(value)
        ? null
        : 'is not a JSON value; use objects, arrays, strings, numbers, booleans and null (quote dates)';
    default:
      return 'is not a JSON value; use objects, arrays, strings, numbers, booleans and null';
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function checkJson(ctx: { value: unknown; issues: unknown[] }): void {
  const flaw = jsonFlaw(ctx.value);
  if (flaw) ctx.issues.push({ code: 'custom', input: ctx.value, path: flaw.path, message: flaw.message });
}

/** Any JSON value that the database can hold. Kept exactly as written: not copied, no key dropped. */
export const JsonValue: z.ZodType<JsonValue, JsonValue> = z
  .custom<JsonValue>((value) => value !== undefined, { error: 'is required' })
  .check(checkJson)
  .meta({ id: 'JsonValue', description: 'Any JSON value.' });

/** A JSON object that the database can hold. Kept exactly as written. */
export const JsonObject: z.ZodType<JsonObject, JsonObject> = z
  .custom<JsonObject>(isPlainObject, { error: 'expected an object', abort: true })
  .check(checkJson)
  .meta({ id: 'JsonObject', type: 'object', description: 'Any JSON object.' });
