import { beginsCall, looksLikeCall, matchEnd, readCallSequence } from './read-call-sequence.js';
import { readCallObject } from './read-call-object.js';
import { readLiteral } from './read-literal.js';
import { NO_CALLS, type ToolCallReading } from './tool-call.js';
import { type ToolCatalogue } from './tool-catalogue.js';

/**
 * Reads the first JSON amid prose that looks like a call, with those that stand directly behind it (contracts.md §1.8). When
 * the prompt offered tools, an object that names one of them goes before one that does not. A broken call before it is incomplete;
 * one that is cut off ends the search.
 */
export function readInlineCalls(text: string, catalogue: ToolCatalogue): ToolCallReading {
  let undeclared: ToolCallReading | null = null;
  let incomplete = 0;
  let credit = REREAD * text.length;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    const literal = readLiteral(text, at);
    if (literal.kind === 'unterminated' && looksLikeCall(text, at)) {
      return undeclared ?? { ...NO_CALLS, incomplete: incomplete + (beginsCall(text, at) ? 1 : 0) };
    }
    if (literal.kind !== 'value') {
      if (literal.kind === 'malformed' && matchEnd(CALL_START, text, at) > at && beginsCall(text, at)) incomplete += 1;
      credit -= literal.end - at;
      at = credit > 0 ? at + 1 : Math.max(literal.end, at + 1);
      continue;
    }
    if (!isCall(text, at, literal.value)) {
      at = literal.end;
      continue;
    }
    const { end, ...reading } = readCallSequence(text, at, { shape: 'inline', repaired: false, isMarked: false });
    const found = { ...reading, incomplete: reading.incomplete + incomplete };
    if (catalogue.names.length === 0 || reading.calls.some(({ name }) => catalogue.find(name) !== null)) return found;
    undeclared ??= found;
    at = end;
  }
  return undeclared ?? { ...NO_CALLS, incomplete };
}

/** What begins inside a broken object is read again, but no more than so many times the text: deep nesting would multiply the work. */
const REREAD = 4;
const CALL_START = /\{\s*["'](?:name|tool_calls?)["']\s*:/y;

function isCall(text: string, at: number, value: unknown): boolean {
  return readCallObject(value, { shape: 'inline', repaired: false, isMarked: false }) !== null && looksLikeCall(text, at);
}
