import { UnresolvedError } from './expression-errors.js';
import { operation } from './expression-operation.js';
import { compareValues, isNumber, isObject, isTruthy, pathOf, textOf, type Value } from './expression-value.js';
import { findTest, type ValueTest } from './expression-tests.js';
import { type WorkBudget } from '../work-budget.js';

/** The items of a list, the characters of a text, the keys of an object. @throws UnresolvedError for others */
function itemsOf(value: Value, work: WorkBudget): readonly Value[] {
  if (Array.isArray(value)) {
    work.spend(value.length);
    return value;
  }
  if (typeof value === 'string') {
    work.spend(value.length);
    return Array.from(value);
  }
  if (isObject(value)) {
    const keys = Object.keys(value);
    work.spend(keys.length);
    return keys;
  }
  throw new UnresolvedError('needs a list, a text or an object');
}

/** Lists hold JSON: what is absent becomes null. */
const toList = (values: readonly Value[]): Value => values.map((value) => value ?? null);

export const length = operation((value, _, work) => itemsOf(value, work).length);
export const list = operation((value, _, work) => toList(itemsOf(value, work)));
export const first = operation((value, _, work) => itemsOf(value, work)[0]);
export const last = operation((value, _, work) => itemsOf(value, work).at(-1));
export const reverse = operation((value, _, work) => {
  const reversed = itemsOf(value, work).toReversed();
  return typeof value === 'string' ? reversed.join('') : toList(reversed);
});

export const join = operation(
  (value, [separator, attribute], work) => {
    const between = separator === undefined ? '' : textOf(separator, work);
    const texts = itemsOf(value, work).map((item) => textOf(attributeOf(item, attribute, work), work));
    work.spend(texts.reduce((sum, text) => sum + text.length + between.length, 0));
    return texts.join(between);
  },
  ['d', 'attribute'],
);

/** Ignores case unless told otherwise, as Jinja does. */
export const sort = operation(
  (value, [reversed, caseSensitive, attribute], work) => {
    const keyed = itemsOf(value, work).map((item) => ({ item, key: sortKey(attributeOf(item, attribute, work), caseSensitive === true) }));
    work.spend(
      keyed.reduce((sum, { key }) => sum + (typeof key === 'string' ? key.length : 1), 0) * Math.ceil(Math.log2(keyed.length + 1)),
    );
    const sign = reversed === true ? -1 : 1;
    return toList(keyed.toSorted((a, b) => sign * compareValues(a.key, b.key)).map(({ item }) => item));
  },
  ['reverse', 'case_sensitive', 'attribute'],
);

function sortKey(value: Value, caseSensitive: boolean): Value {
  return typeof value === 'string' && !caseSensitive ? value.toLowerCase() : value;
}

/** Each value once, where it stood first; lists and objects count as equal when their JSON is. */
export const unique = operation((value, _, work) => {
  const seen = new Set<string>();
  return toList(
    itemsOf(value, work).filter((item) => {
      const key = typeof item === 'string' ? `"${item}` : textOf(item ?? null, work);
      return !seen.has(key) && seen.add(key);
    }),
  );
});

const numbers = (value: Value, work: WorkBudget): readonly number[] =>
  itemsOf(value, work).map((item) => {
    if (!isNumber(item)) throw new UnresolvedError('needs a list of numbers');
    return Number(item);
  });
export const sum = operation((value, _, work) => numbers(value, work).reduce((total, item) => total + item, 0));
const extreme = (sign: number) =>
  operation((value, _, work) =>
    itemsOf(value, work).reduce<Value>(
      (best, item, index) => (index === 0 || sign * compareValues(item, best) > 0 ? item : best),
      undefined,
    ),
  );
export const max = extreme(1);
export const min = extreme(-1);

function attributeOf(item: Value, path: Value, work: WorkBudget): Value {
  if (path === undefined || path === null) return item;
  if (typeof path !== 'string') throw new UnresolvedError('attribute must be a text');
  work.spend(path.length);
  return pathOf(item, path);
}

/** Only `map(attribute='role')`: functions are not values here. */
export const map = operation(
  (value, [attribute, fallback], work) => toList(itemsOf(value, work).map((item) => attributeOf(item, attribute, work) ?? fallback)),
  ['attribute', 'default'],
  1,
);

const selection = (keep: boolean, byAttribute: boolean) =>
  operation(
    (value, args, work) => {
      const [attribute, name, operand] = byAttribute ? args : [undefined, ...args];
      const test = name === undefined ? undefined : listTest(name);
      return toList(
        itemsOf(value, work).filter((item) => {
          const tested = attributeOf(item, attribute, work);
          return (test === undefined ? isTruthy(tested) : test(tested, operand, work)) === keep;
        }),
      );
    },
    byAttribute ? ['attribute', 'test', 'value'] : ['test', 'value'],
    byAttribute ? 1 : 0,
  );
export const select = selection(true, false);
export const reject = selection(false, false);
export const selectAttribute = selection(true, true);
export const rejectAttribute = selection(false, true);

function listTest(name: Value): ValueTest {
  const test = typeof name === 'string' ? findTest(name) : undefined;
  if (test === undefined) throw new UnresolvedError('no such test');
  return test;
}
