import { UnresolvedError } from './expression-errors.js';
import { operation } from './expression-operation.js';
import { type Value } from './expression-value.js';
import { type WorkBudget } from '../work-budget.js';

/** @throws UnresolvedError unless `value` is text; reading it is charged. */
export function expectText(value: Value, work: WorkBudget): string {
  if (typeof value !== 'string') throw new UnresolvedError('needs a text');
  work.spend(value.length);
  return value;
}

const onText = (change: (text: string) => Value) => operation((value, _, work) => change(expectText(value, work)));

export const lower = onText((text) => text.toLowerCase());
export const upper = onText((text) => text.toUpperCase());
export const trim = onText((text) => text.trim());
export const trimStart = onText((text) => text.trimStart());
export const trimEnd = onText((text) => text.trimEnd());
export const capitalize = onText((text) => {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length).toLowerCase();
});
export const splitLines = onText((text) =>
  text === '' ? [] : text.replace(/\r\n?|\n$/g, (end) => (end === '\n' ? '' : '\n')).split('\n'),
);

export const startsWith = operation((value, [prefix], work) => expectText(value, work).startsWith(expectText(prefix, work)), ['prefix'], 1);
export const endsWith = operation((value, [suffix], work) => expectText(value, work).endsWith(expectText(suffix, work)), ['suffix'], 1);

/** As in Python: without a separator runs of white space separate, and there are no empty parts. */
export const split = operation(
  (value, [separator, limit], work) => {
    const text = expectText(value, work);
    work.spend(text.length);
    const most = limit === undefined || limit === null ? -1 : limit;
    if (typeof most !== 'number') throw new UnresolvedError('maxsplit must be a number');
    if (separator === undefined || separator === null) return splitAtSpace(text, most);
    const between = expectText(separator, work);
    if (between === '') throw new UnresolvedError('the separator must not be empty');
    const parts = text.split(between);
    return most < 0 || parts.length <= most ? parts : [...parts.slice(0, most), parts.slice(most).join(between)];
  },
  ['sep', 'maxsplit'],
);

function splitAtSpace(text: string, most: number): string[] {
  const parts: string[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (most >= 0 && parts.length >= most) return [...parts, text.slice(index)];
    parts.push(word);
  }
  return parts;
}

/** The size of the result is charged before it is built: replacing every letter by a paragraph must not fill the memory. */
export const replace = operation(
  (value, [old, replacement, count], work) => {
    const [text, wanted, written] = [expectText(value, work), expectText(old, work), expectText(replacement, work)];
    const most = count === undefined || count === null ? -1 : count;
    if (typeof most !== 'number') throw new UnresolvedError('count must be a number');
    if (wanted === '') throw new UnresolvedError('the replaced text must not be empty');
    const parts = text.split(wanted);
    const kept = most < 0 ? parts.length : Math.min(parts.length, most + 1);
    work.spend(text.length + kept * written.length);
    return [parts.slice(0, kept).join(written), ...parts.slice(kept)].join(wanted);
  },
  ['old', 'new', 'count'],
  2,
);
