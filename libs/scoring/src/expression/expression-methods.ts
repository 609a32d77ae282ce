import { type ExactJsonObject } from '../json/exact-json.js';
import { UnresolvedError } from './expression-errors.js';
import { type Operation, operation } from './expression-operation.js';
import { isObject, memberOf, type Value } from './expression-value.js';
import * as texts from './text-operations.js';

function expectObject(value: Value): ExactJsonObject {
  if (!isObject(value)) throw new UnresolvedError('needs an object');
  return value;
}

const whole = (read: (value: ExactJsonObject) => Value) =>
  operation((value, _, work) => {
    const object = expectObject(value);
    work.spend(Object.keys(object).length);
    return read(object);
  });

const get = operation(
  (value, [key, other]) => {
    const found = memberOf(expectObject(value), key);
    return found === undefined ? (other ?? null) : found;
  },
  ['key', 'default'],
  1,
);

/** What may be called on a text or an object, as in Python. Nothing else can be called. */
export const METHODS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['capitalize', texts.capitalize],
  ['endswith', texts.endsWith],
  ['get', get],
  ['items', whole(Object.entries)],
  ['keys', whole(Object.keys)],
  ['lower', texts.lower],
  ['lstrip', texts.trimStart],
  ['replace', texts.replace],
  ['rstrip', texts.trimEnd],
  ['split', texts.split],
  ['splitlines', texts.splitLines],
  ['startswith', texts.startsWith],
  ['strip', texts.trim],
  ['upper', texts.upper],
  ['values', whole(Object.values)],
]);
