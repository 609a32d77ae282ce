import { UnresolvedError } from './expression-errors.js';
import { compareValues, equalValues, isIn, isNumber, textOf, type Value } from './expression-value.js';
import { type WorkBudget } from '../work-budget.js';

export type BinaryOperation = (left: Value, right: Value, work: WorkBudget) => Value;

/** In 64-bit floats: integers beyond them are rounded first. */
const arithmetic =
  (compute: (left: number, right: number) => number): BinaryOperation =>
  (left, right) => {
    if (!isNumber(left) || !isNumber(right)) throw new UnresolvedError('arithmetic needs two numbers');
    const result = compute(Number(left), Number(right));
    if (!Number.isFinite(result)) throw new UnresolvedError('the result is not a finite number');
    return result;
  };
const addNumbers = arithmetic((left, right) => left + right);

const add: BinaryOperation = (left, right, work) => {
  if (typeof left === 'string' && typeof right === 'string') return concatenate(left, right, work);
  if (!Array.isArray(left) || !Array.isArray(right)) return addNumbers(left, right, work);
  work.spend(left.length + right.length);
  return [...left, ...right];
};

const concatenate = (left: Value, right: Value, work: WorkBudget): string => {
  const [first, second] = [textOf(left, work), textOf(right, work)];
  work.spend(first.length + second.length);
  return first + second;
};

/** Comparisons, which Jinja chains and the parser does not: `1 < x < 3` is refused. */
export const COMPARISONS: ReadonlyMap<string, BinaryOperation> = new Map<string, BinaryOperation>([
  ['==', equalValues],
  ['!=', (left, right, work) => !equalValues(left, right, work)],
  ['<', (left, right) => compareValues(left, right) < 0],
  ['<=', (left, right) => compareValues(left, right) <= 0],
  ['>', (left, right) => compareValues(left, right) > 0],
  ['>=', (left, right) => compareValues(left, right) >= 0],
  ['in', isIn],
  ['not in', (left, right, work) => !isIn(left, right, work)],
]);

/** `~` joins anything as text. Division and remainder round as in Python, towards minus infinity. */
export const ARITHMETIC: ReadonlyMap<string, BinaryOperation> = new Map<string, BinaryOperation>([
  ['~', concatenate],
  ['+', add],
  ['-', arithmetic((left, right) => left - right)],
  ['*', arithmetic((left, right) => left * right)],
  ['/', arithmetic((left, right) => left / right)],
  ['//', arithmetic((left, right) => Math.floor(left / right))],
  ['%', arithmetic((left, right) => left - right * Math.floor(left / right))],
  ['**', arithmetic((left, right) => left ** right)],
]);
