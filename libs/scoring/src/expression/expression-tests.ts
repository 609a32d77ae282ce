import { UnresolvedError } from './expression-errors.js';
import { compareValues, equalValues, isIn, isInteger, isNumber, isObject, type Value } from './expression-value.js';
import { type WorkBudget } from '../work-budget.js';

/** What stands behind `is`, or is named in `selectattr`. `operand` is given only there. */
export type ValueTest = (value: Value, operand: Value, work: WorkBudget) => boolean;

const isOdd = (value: Value): boolean => {
  if (!isInteger(value)) throw new UnresolvedError('needs an integer');
  return BigInt(value) % 2n !== 0n;
};

const TESTS: ReadonlyMap<string, ValueTest> = new Map<string, ValueTest>([
  ['defined', (value) => value !== undefined],
  ['undefined', (value) => value === undefined],
  ['none', (value) => value === null],
  ['string', (value) => typeof value === 'string'],
  ['number', isNumber],
  ['integer', isInteger],
  ['float', (value) => typeof value === 'number' && !Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['mapping', isObject],
  ['sequence', (value) => Array.isArray(value) || typeof value === 'string' || isObject(value)],
  ['iterable', (value) => Array.isArray(value) || typeof value === 'string' || isObject(value)],
  ['odd', isOdd],
  ['even', (value) => !isOdd(value)],
  ['lower', (value) => typeof value === 'string' && value === value.toLowerCase() && value !== value.toUpperCase()],
  ['upper', (value) => typeof value === 'string' && value === value.toUpperCase() && value !== value.toLowerCase()],
  ['in', isIn],
  ['eq', equalValues],
  ['equalto', equalValues],
  ['ne', (value, operand, work) => !equalValues(value, operand, work)],
  ['lt', (value, operand) => compareValues(value, operand) < 0],
  ['le', (value, operand) => compareValues(value, operand) <= 0],
  ['gt', (value, operand) => compareValues(value, operand) > 0],
  ['ge', (value, operand) => compareValues(value, operand) >= 0],
]);

/** Tests that need an operand, which the parser does not read behind `is`. */
const WITH_OPERAND: ReadonlySet<string> = new Set(['in', 'eq', 'equalto', 'ne', 'lt', 'le', 'gt', 'ge']);

export const testNames: readonly string[] = [...TESTS.keys()].filter((name) => !WITH_OPERAND.has(name));

export function findTest(name: string): ValueTest | undefined {
  return TESTS.get(name);
}
