import { TooDeepError } from '../json/too-deep-error.js';

/** Ends a hidden name: a character of the private use area, which has no meaning. */
const MARK = '\uE000';

const NAMES = new Set(Object.getOwnPropertyNames(Object.prototype));
const LAST_LETTERS = new Map([...NAMES].map((name) => [name.slice(0, -1), name.slice(-1)]));

/**
 * The validator keeps names in plain objects, where `constructor` and `__proto__` are always present. So no such name ever
 * reaches it: in the schema and in the answer alike its last letter is replaced by a character of no meaning, which keeps
 * its length. A name that ends so by itself gets one more of them, so that different names stay different.
 */
export function hideName(name: string): string {
  if (NAMES.has(name)) return name.slice(0, -1) + MARK;
  return stemOf(name) === null ? name : name + MARK;
}

/** The inverse of {@link hideName}. */
export function showName(name: string): string {
  const stem = stemOf(name);
  if (stem === null) return name;
  return name.length > stem.length + 1 ? name.slice(0, -1) : stem + (LAST_LETTERS.get(stem) ?? '');
}

/** What stands before the marks that `name` ends in, when it is a known name without its last letter. */
function stemOf(name: string): string | null {
  if (!name.endsWith(MARK)) return null;
  const stem = name.slice(0, name.indexOf(MARK));
  return LAST_LETTERS.has(stem) && /^\uE000+$/.test(name.slice(stem.length)) ? stem : null;
}

/**
 * `value` with every name and every text hidden; the same object where nothing had to be.
 *
 * @throws TooDeepError when arrays and objects are nested more than `maxDepth` deep.
 */
export function hideNames(value: unknown, maxDepth: number, depth = 0): unknown {
  if (typeof value === 'string') return hideName(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) throw new TooDeepError(maxDepth);
  if (Array.isArray(value)) {
    const items = value.map((item) => hideNames(item, maxDepth, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const members = Object.entries(value).map(([key, member]) => [hideName(key), hideNames(member, maxDepth, depth + 1)] as const);
  const same = members.every(([key, member]) => Object.hasOwn(value, key) && (value as Record<string, unknown>)[key] === member);
  return same ? value : Object.fromEntries(members);
}
