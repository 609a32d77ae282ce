import { type ExpectedTool } from '@kiln/contracts';
import { compilePattern } from '../compile-pattern.js';
import { equalJsonValues } from '../json/equal-json.js';
import { argumentText, type ArgumentValue, isArguments } from './argument-value.js';

type ExpectedArgument = NonNullable<ExpectedTool['expected_args']>[string];

/** Whether an argument is as expected. */
export type ArgumentTest = (value: ArgumentValue) => boolean;

/**
 * `exact`: equal as JSON. `contains`: a text or number whose text contains the value's; a list that has it as an item; an object
 * that has it as a key, or all its members. `regex`: a match anywhere in the text (of anything but a string, its JSON).
 *
 * @returns a text that says what is wrong with a pattern
 */
export function compileExpectedArgument({ value, match_mode: mode }: ExpectedArgument): ArgumentTest | string {
  if (mode === 'exact') return (argument) => equalJsonValues(asJson(argument), value);
  if (mode === 'contains') return (argument) => contains(asJson(argument), value as ArgumentValue);
  if (typeof value !== 'string') return 'must be text for match_mode "regex"';
  const pattern = compilePattern(value, true);
  if (pattern.kind === 'bad_pattern') return `is not a pattern: ${pattern.message}`;
  return (argument) => {
    const text = argumentText(argument);
    return pattern.affords(text) && pattern.matches(text);
  };
}

function contains(argument: ArgumentValue, value: ArgumentValue): boolean {
  if (Array.isArray(argument)) return argument.some((item) => equalJsonValues(item, value));
  if (!isArguments(argument)) return argumentText(argument).includes(argumentText(value));
  if (!isArguments(value)) return typeof value === 'string' && Object.hasOwn(argument, value);
  return Object.keys(value).every((key) => Object.hasOwn(argument, key) && equalJsonValues(argument[key], value[key]));
}

/** With integers as the suite holds them: JSON has rounded those of more than 53 bits there. */
function asJson(value: ArgumentValue): ArgumentValue {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asJson);
  return isArguments(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asJson(member)])) : value;
}
