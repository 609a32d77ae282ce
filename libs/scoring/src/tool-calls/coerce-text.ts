import { type ArgumentValue } from './argument-value.js';
import { exactNumber } from '../numbers/exact-number.js';
import { readWholeLiteral } from './read-literal.js';

const WORDS: ReadonlyMap<string, ArgumentValue> = new Map<string, ArgumentValue>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);
/** No leading zeros: `00501` is a zip code. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * What an XML parameter of unknown type holds (contracts.md §1.8): JSON when it begins with a brace or bracket and is JSON; the
 * words for true, false and null; a single number; else the text as it is.
 */
export function coerceText(raw: string): ArgumentValue {
  const text = raw.trim();
  if (text.startsWith('{') || text.startsWith('[')) return readWholeLiteral(text)?.value ?? raw;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  return NUMBER.test(text) ? (exactNumber(text) ?? raw) : raw;
}
