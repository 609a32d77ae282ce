import canonicalize from 'canonicalize';

/** Deeper values are refused: the walk recurses, and only a cycle or an attack is this deep. */
const MAX_DEPTH = 200;
/** The package's types describe an ES module; what Node loads is the CommonJS function itself. */
const serialize = canonicalize as unknown as (value: unknown) => string;

/**
 * The one byte form of a JSON value (RFC 8785): keys sorted by UTF-16 code units, no white space, numbers as ECMAScript
 * writes them. Two values are equal as JSON exactly when their canonical texts are equal.
 *
 * Everything that JSON cannot hold is refused instead of being dropped or coerced, because a hash over less than the
 * value would call different values equal: NaN, infinities, undefined (also as a member), bigint, functions, symbols,
 * dates and other class instances, holes in arrays, lone surrogates (they have no UTF-8 form).
 *
 * @throws TypeError that names the path of the first such value, as in `$.examples[3].weight is NaN`.
 * @example canonicalJson({ b: 1, a: [1.0, 'é'] }) // '{"a":[1,"é"],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  requireJson(value, '$', 0);
  return serialize(value);
}

function requireJson(value: unknown, path: string, depth: number): void {
  switch (typeof value) {
    case 'boolean':
      return;
    case 'string':
      if (!value.isWellFormed()) throw new TypeError(`${path} has half a surrogate pair, which has no UTF-8 form`);
      return;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${path} is ${value}, which JSON cannot hold`);
      return;
    case 'object':
      if (value === null) return;
      if (depth >= MAX_DEPTH) throw new TypeError(`${path} is nested deeper than ${MAX_DEPTH} levels, or refers to itself`);
      if (Array.isArray(value)) requireItems(value, path, depth);
      else requireMembers(value, path, depth);
      return;
    case 'bigint':
      throw new TypeError(`${path} is a bigint; write 64-bit numbers as decimal strings`);
    default:
      throw new TypeError(`${path} is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON cannot hold`);
  }
}

function requireItems(items: readonly unknown[], path: string, depth: number): void {
  for (let index = 0; index < items.length; index++) requireJson(items[index], `${path}[${index}]`, depth + 1);
}

function requireMembers(value: object, path: string, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${path} is a ${value.constructor?.name ?? 'class instance'}, not a plain object`);
  }
  for (const [key, member] of Object.entries(value)) {
    if (!key.isWellFormed()) throw new TypeError(`${path} has a key with half a surrogate pair`);
    requireJson(member, `${path}.${key}`, depth + 1);
  }
}
