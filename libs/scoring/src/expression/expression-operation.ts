import { type Value } from './expression-value.js';
import { type WorkBudget } from '../work-budget.js';

/** A filter, method or test: a function of a value and of arguments that were matched with the names of its parameters. */
export interface Operation {
  /** Names of the arguments, in order. */
  readonly parameters: readonly string[];
  /** How many of them must be given; the others are undefined. */
  readonly required: number;
  apply(value: Value, args: readonly Value[], work: WorkBudget): Value;
}

export function operation(apply: Operation['apply'], parameters: readonly string[] = [], required = 0): Operation {
  return { parameters, required, apply };
}
