import { parseDecimal } from '../numbers/decimal.js';
import { type WorkBudget } from '../work-budget.js';
import { LONG_NUMBER } from './long-number.js';
import { skipString } from './read-json.js';

/** A JSON document: its text and the value that JSON.parse made of it. */
export interface JsonDocument {
  readonly source: string;
  readonly value: unknown;
}

/**
 * Whether two documents say the same: key order, white space and escapes do not matter; array order does; null is not a
 * missing key; numbers are equal when their exact decimal values are (1 and 1.0, not 2^53 and 2^53+1). No recursion.
 */
export function equalJson(a: JsonDocument, b: JsonDocument): boolean {
  if (!equalJsonValues(a.value, b.value)) return false;
  if (!LONG_NUMBER.test(a.source) && !LONG_NUMBER.test(b.source)) return true;
  return equalJsonValues(withExactNumbers(a.source), withExactNumbers(b.source));
}

/**
 * The same for values, without a look at how their numbers were written. A bigint equals itself only.
 *
 * @param work what the comparison may cost, one unit a pair; nothing is counted without it
 * @throws TooCostlyError
 */
export function equalJsonValues(left: unknown, right: unknown, work?: WorkBudget): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    work?.spend(1);
    const [a, b] = pair;
    if (a === b) continue; // also makes -0 equal 0
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pending.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
    }
  }
  return true;
}

/**
 * Parses valid JSON with every number replaced by a string of its exact value. Comparing two such values is only
 * meaningful after the plain ones were equal: then a string can no longer stand where the other side has a number.
 */
function withExactNumbers(source: string): unknown {
  const number = /[-+0-9.eE]+/y;
  let rewritten = '';
  let copied = 0;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (character === '"') {
      at = skipString(source, at);
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = at;
      const written = number.exec(source)?.[0] ?? character;
      rewritten += `${source.slice(copied, at)}"${exactText(written)}"`;
      copied = at + written.length;
      at = copied - 1;
    }
  }
  return JSON.parse(rewritten + source.slice(copied));
}

/** The same text for equal numbers, however they are written. */
function exactText(written: string): string {
  const value = parseDecimal(written);
  return value ? `${value.negative ? '-' : ''}${value.digits}e${value.exponent}` : written;
}
