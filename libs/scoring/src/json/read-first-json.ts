import { readFences } from '../code/read-fences.js';
import { findBalancedEnd, type JsonReading, tryParseJson } from './read-json.js';

/** Brackets that are tried; each try is linear in the text. */
const MAX_TRIES = 64;

/**
 * Reads the JSON of an answer in the order of contracts.md §5.2: the whole text, then the first fenced block, then each
 * bracket that is balanced, from left to right. The first of them that is JSON is the answer's; the others are not looked at.
 */
export function readFirstJson(text: string): JsonReading {
  const whole = tryParseJson(text.trim());
  if (whole !== null) return whole;
  const [fence] = readFences(text);
  const fenced = fence === undefined ? null : tryParseJson(fence.code.trim());
  if (fenced !== null) return fenced;
  const opening = /[[{]/g;
  let found: 'no_json' | 'unclosed_json' | 'not_json' = 'no_json';
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const start = opening.exec(text)?.index;
    if (start === undefined) break;
    const end = findBalancedEnd(text, start);
    const value = end === null ? null : tryParseJson(text.slice(start, end));
    if (value !== null) return value;
    // What is wrong with the outermost bracket says most.
    if (found === 'no_json') found = end === null ? 'unclosed_json' : 'not_json';
  }
  return { kind: 'none', reason: found };
}
