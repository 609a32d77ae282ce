import { UnresolvedError } from './expression-errors.js';
import { type Operation, operation } from './expression-operation.js';
import { isNumber, isObject, isTruthy, textOf, type Value } from './expression-value.js';
import { jsonText } from '../json/json-text.js';
import { readExactJson } from '../json/read-exact-json.js';
import { exactNumber } from '../numbers/exact-number.js';
import * as lists from './list-operations.js';
import * as texts from './text-operations.js';
import { type WorkBudget } from '../work-budget.js';

const fallback = operation(
  (value, [other, whenFalse]) => (value === undefined || (whenFalse === true && !isTruthy(value)) ? (other ?? '') : value),
  ['default_value', 'boolean'],
);

const COULD_BE_NUMBER = /^[-+0-9.eE]+$/;

/** Reads the number that a text is; undefined for any other text. */
function numberOf(value: Value, work: WorkBudget): number | bigint | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (isNumber(value)) return value;
  const text = texts.trim.apply(value, [], work);
  return typeof text === 'string' && COULD_BE_NUMBER.test(text) ? exactNumber(text) : undefined;
}

/** As a 64-bit float; undefined for what is beyond them. */
function floatOf(number: number | bigint | undefined): number | undefined {
  const float = Number(number ?? Number.NaN);
  return Number.isFinite(float) ? float : undefined;
}

const members = operation((value, _, work) => {
  if (!isObject(value)) throw new UnresolvedError('needs an object');
  const entries = Object.entries(value);
  work.spend(entries.length);
  return entries;
});

/** The filters that expressions may use: those of Jinja that make sense without HTML, a clock or randomness, and `fromjson`. */
export const FILTERS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['abs', operation((value) => (isNumber(value) ? absolute(value) : notANumber()))],
  ['capitalize', texts.capitalize],
  ['count', lists.length],
  ['d', fallback],
  ['default', fallback],
  ['first', lists.first],
  ['float', operation((value, [other], work) => floatOf(numberOf(value, work)) ?? other ?? 0, ['default'])],
  ['fromjson', operation((value, _, work) => parseJson(texts.expectText(value, work)))],
  ['int', operation((value, [other], work) => truncated(numberOf(value, work)) ?? other ?? 0, ['default'])],
  ['items', members],
  ['join', lists.join],
  ['last', lists.last],
  ['length', lists.length],
  ['list', lists.list],
  ['lower', texts.lower],
  ['map', lists.map],
  ['max', lists.max],
  ['min', lists.min],
  ['reject', lists.reject],
  ['rejectattr', lists.rejectAttribute],
  ['replace', texts.replace],
  ['reverse', lists.reverse],
  ['select', lists.select],
  ['selectattr', lists.selectAttribute],
  ['sort', lists.sort],
  ['string', operation((value, _, work) => textOf(value, work))],
  ['sum', lists.sum],
  ['tojson', operation((value, _, work) => jsonText(value, work))],
  ['trim', texts.trim],
  ['unique', lists.unique],
  ['upper', texts.upper],
]);

function truncated(number: number | bigint | undefined): number | bigint | undefined {
  return typeof number === 'number' ? Math.trunc(number) : number;
}

function absolute(number: number | bigint): number | bigint {
  if (typeof number === 'number') return Math.abs(number);
  return number < 0n ? -number : number;
}

function notANumber(): never {
  throw new UnresolvedError('needs a number');
}

/** Not of Jinja: an answer that is JSON would otherwise have no members. */
function parseJson(text: string): Value {
  const read = readExactJson(text);
  if (read === null) throw new UnresolvedError('the text is not JSON, or has a number beyond 4,096 digits');
  return read.value;
}
