import { UnresolvedError } from './expression-errors.js';
import { type Value } from './expression-value.js';
import { type WorkBudget } from '../work-budget.js';

/** `value[start:stop:step]` as in Python; a text is a sequence of code points. @throws UnresolvedError */
export function sliceValue(value: Value, bounds: readonly [Value, Value, Value], work: WorkBudget): Value {
  const [start, stop, step] = bounds.map((bound) => {
    if (bound !== undefined && bound !== null && !Number.isInteger(bound)) throw new UnresolvedError('slices need integers');
    return typeof bound === 'number' ? bound : undefined;
  });
  if (typeof value === 'string') {
    work.spend(value.length);
    return sliceItems(Array.from(value), start, stop, step).join('');
  }
  if (!Array.isArray(value)) throw new UnresolvedError('only lists and texts have slices');
  work.spend(value.length);
  return sliceItems(value, start, stop, step);
}

function sliceItems<T>(items: readonly T[], start: number | undefined, stop: number | undefined, step = 1): T[] {
  if (step === 0) throw new UnresolvedError('the step of a slice must not be 0');
  const { length } = items;
  const forward = step > 0;
  const [least, most] = forward ? [0, length] : [-1, length - 1];
  const place = (bound: number): number => Math.min(Math.max(bound < 0 ? bound + length : bound, least), most);
  const from = start === undefined ? (forward ? 0 : length - 1) : place(start);
  const to = stop === undefined ? (forward ? length : -1) : place(stop);
  const picked: T[] = [];
  for (let at = from; forward ? at < to : at > to; at += step) picked.push(...items.slice(at, at + 1));
  return picked;
}
