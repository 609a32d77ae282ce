import { exactNumber } from '../numbers/exact-number.js';
import { type JsonDocument } from './equal-json.js';
import { type ExactJson, type ExactJsonObject } from './exact-json.js';
import { LONG_NUMBER } from './long-number.js';
import { skipString } from './read-json.js';
import { setMember } from './set-member.js';

/**
 * Parses JSON without rounding its integers: 2^53 + 1 and 1e400 become bigints. Fractions are the nearest 64-bit floats. Null for
 * what is not JSON, for a number that is too large for either (1e9999), and for many short numbers that stand for long ones. Linear,
 * without recursion of its own.
 */
export function readExactJson(source: string): { readonly value: ExactJson } | null {
  try {
    return exactValueOf({ source, value: JSON.parse(source) });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The same for JSON that was parsed already. */
export function exactValueOf({ source, value }: JsonDocument): { readonly value: ExactJson } | null {
  if (!LONG_NUMBER.test(source)) return { value: value as ExactJson };
  const marked = withMarks(source);
  return marked === null ? null : { value: withoutMarks(JSON.parse(marked) as Marked) };
}

/** Digits that exponents may add to a text: 1e4000 is six characters, and a list of them would fill the memory. */
const MAX_ADDED = 100_000;

const TEXT = 's';
const INTEGER = 'i';

type Marked = null | boolean | number | string | Marked[] | { [key: string]: Marked };

/** Valid JSON with each string behind an `s`, and each integer that a float would change as a string behind an `i`. */
function withMarks(source: string): string | null {
  const number = /[-+0-9.eE]+/y;
  const parts: string[] = [];
  let copied = 0;
  let added = 0;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (character === '"') {
      parts.push(source.slice(copied, at + 1), TEXT);
      copied = at + 1;
      at = skipString(source, at);
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = at;
      const written = number.exec(source)?.[0] ?? character;
      const value = exactNumber(written);
      if (value === undefined) return null;
      if (typeof value === 'bigint') {
        const digits = value.toString();
        added += digits.length - written.length;
        if (added > MAX_ADDED) return null;
        parts.push(source.slice(copied, at), `"${INTEGER}${digits}"`);
        copied = at + written.length;
      }
      at += written.length - 1;
    }
  }
  return parts.join('') + source.slice(copied);
}

function withoutMarks(root: Marked): ExactJson {
  const pending: [Marked[] | { [key: string]: Marked }, ExactJson[] | ExactJsonObject][] = [];
  const restore = (marked: Marked): ExactJson => {
    if (typeof marked === 'string') return marked.startsWith(INTEGER) ? BigInt(marked.slice(1)) : marked.slice(1);
    if (typeof marked !== 'object' || marked === null) return marked;
    const restored = Array.isArray(marked) ? [] : {};
    pending.push([marked, restored]);
    return restored;
  };
  const value = restore(root);
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [marked, restored] = pair;
    if (Array.isArray(restored)) for (const item of marked as Marked[]) restored.push(restore(item));
    else for (const [key, member] of Object.entries(marked)) setMember(restored, key.slice(1), restore(member));
  }
  return value;
}
