import { type ArgumentValue, isArguments, ownMember } from './argument-value.js';
import { coerceText } from './coerce-text.js';
import { exactNumber } from '../numbers/exact-number.js';
import { readWholeLiteral } from './read-literal.js';

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** The names of JSON Schema and those that Python tools write. */
const TYPES: ReadonlyMap<string, SchemaType> = new Map<string, SchemaType>([
  ...(['string', 'str', 'text'] as const).map((name) => [name, 'string'] as const),
  ...(['integer', 'int', 'long'] as const).map((name) => [name, 'integer'] as const),
  ...(['number', 'float', 'double'] as const).map((name) => [name, 'number'] as const),
  ...(['boolean', 'bool'] as const).map((name) => [name, 'boolean'] as const),
  ...(['object', 'dict'] as const).map((name) => [name, 'object'] as const),
  ...(['array', 'list', 'tuple'] as const).map((name) => [name, 'array'] as const),
  ...(['null', 'none'] as const).map((name) => [name, 'null'] as const),
]);

/**
 * The value of an XML parameter by its schema. A string stays as it is, even `null` and `42`; every other type reads `null` and
 * `None`, and so does a nullable string; numbers, booleans, objects and lists are read as JSON or Python, also encoded twice;
 * 5.0 is an integer. What does not fit its type stays text. Without a usable type, or with several of which one is string,
 * {@link coerceText} decides.
 */
export function convertBySchema(raw: string, schema: ArgumentValue | undefined): ArgumentValue {
  const types = schemaTypes(schema);
  const text = raw.trim();
  const mayBeNull = types.size > 0 && (types.has('null') || !types.has('string'));
  if (mayBeNull && /^(?:null|none)$/i.test(text)) return null;
  types.delete('null');
  if (types.size === 0) return coerceText(raw);
  if (types.has('string')) return types.size === 1 ? raw : coerceText(raw);
  for (const type of types) {
    const value = READERS[type](text);
    if (value !== undefined) return value;
  }
  return raw;
}

const READERS: Readonly<Record<SchemaType, (text: string) => ArgumentValue | undefined>> = {
  string: (text) => text,
  null: () => undefined,
  boolean: (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined),
  integer: (text) => {
    const value = readNumber(text);
    return typeof value === 'bigint' || Number.isInteger(value) ? value : undefined;
  },
  number: readNumber,
  object: (text) => readContainer(text, isArguments),
  array: (text) => readContainer(text, Array.isArray),
};

/** A leading zero makes it text, as without a schema. */
function readNumber(text: string): number | bigint | undefined {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? exactNumber(text) : undefined;
}

function readContainer(text: string, isWanted: (value: ArgumentValue) => boolean): ArgumentValue | undefined {
  const value = readWholeLiteral(text)?.value;
  if (typeof value !== 'string') return value !== undefined && isWanted(value) ? value : undefined;
  const decoded = readWholeLiteral(value)?.value;
  return decoded !== undefined && isWanted(decoded) ? decoded : undefined;
}

/** Types that a schema allows, from `type`, `nullable`, `anyOf` and `oneOf`; empty when it says none. */
function schemaTypes(schema: ArgumentValue | undefined): Set<SchemaType> {
  if (!isArguments(schema)) return new Set();
  const alternatives = [ownMember(schema, 'anyOf'), ownMember(schema, 'oneOf')].flatMap((list) => (Array.isArray(list) ? list : []));
  const written = [schema, ...alternatives.filter(isArguments)].flatMap((part) => ownMember(part, 'type') ?? []);
  const types = new Set<SchemaType>();
  for (const name of written) {
    const type = typeof name === 'string' ? TYPES.get(name.toLowerCase()) : undefined;
    if (type) types.add(type);
  }
  if (ownMember(schema, 'nullable') === true && types.size > 0) types.add('null');
  return types;
}
