import { equalJsonValues } from '../json/equal-json.js';
import { type ArgumentValue, type Arguments, isArguments } from './argument-value.js';
import { readLiteral } from './read-literal.js';

export interface DecodedArguments {
  readonly arguments: Arguments;
  readonly repaired: boolean;
  readonly undecoded: boolean;
}

/**
 * The arguments of a call as an object: JSON in a string is decoded, also twice; nothing and null are no arguments; whatever else
 * is no object stands under `args` (contracts.md §1.8). Stray quotes behind the JSON and a second copy of it are dropped. Values
 * that are no text must not be deeper than arguments may be.
 */
export function decodeArguments(written: unknown): DecodedArguments {
  if (typeof written === 'string') return decodeText(written);
  return { arguments: asArguments(written as ArgumentValue), repaired: false, undecoded: false };
}

const MAX_ENCODINGS = 2;

function decodeText(written: string): DecodedArguments {
  if (written.trim() === '') return { arguments: {}, repaired: false, undecoded: false };
  let text = written;
  let repaired = false;
  for (let round = 0; round < MAX_ENCODINGS; round += 1) {
    const reading = readLiteral(text);
    if (reading.kind !== 'value' || !isTail(text, reading.end, reading.value)) break;
    repaired ||= reading.lenient || text.slice(reading.end).trim() !== '';
    if (typeof reading.value !== 'string') return { arguments: asArguments(reading.value), repaired, undecoded: false };
    text = reading.value;
  }
  return { arguments: { args: text }, repaired, undecoded: /^\s*[{[]/.test(text) };
}

/** Whether what follows the value is nothing, stray quotes, or the same value again, as streaming servers are known to send. */
function isTail(text: string, end: number, value: ArgumentValue): boolean {
  const tail = text.slice(end);
  if (/^["\s]*$/.test(tail)) return true;
  const copy = readLiteral(tail);
  return copy.kind === 'value' && isArguments(value) && equalJsonValues(copy.value, value) && tail.slice(copy.end).trim() === '';
}

function asArguments(value: ArgumentValue | undefined): Arguments {
  if (value === null || value === undefined) return {};
  return isArguments(value) ? value : { args: value };
}
