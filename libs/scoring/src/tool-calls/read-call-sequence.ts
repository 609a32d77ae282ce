import { findBalancedEnd } from '../json/read-json.js';
import { isArguments, ownMember } from './argument-value.js';
import { type CallContext, readCallObject } from './read-call-object.js';
import { readLiteral } from './read-literal.js';
import { type ToolCall, type ToolCallReading } from './tool-call.js';

const SEPARATOR = /[\s;,]*/y;
const LIST_START = /(?:\{\s*["']tool_calls["']\s*:\s*)?\[(?=\s*\{)/y;

export interface SequenceReading extends ToolCallReading {
  /** The index behind the last call, or where reading failed. */
  readonly end: number;
}

/**
 * Reads calls that stand side by side from `start` on, as JSON objects or lists with nothing but white space, `;` or `,` between
 * them: a semicolon inside a string separates nothing. Ends before the first that is no call. A broken call is incomplete and is
 * passed over; one that is cut off ends the reading; of a list that is broken or cut off, the entries are read one by one.
 */
export function readCallSequence(text: string, start: number, context: CallContext, isEntry = false): SequenceReading {
  const calls: ToolCall[] = [];
  let incomplete = 0;
  let statesNone = false;
  let end = start;
  for (let at = start; ;) {
    at = matchEnd(SEPARATOR, text, at);
    if (text[at] !== '{' && text[at] !== '[') break;
    const literal = readLiteral(text, at);
    if (literal.kind === 'value') {
      const reading = readCallObject(literal.value, { ...context, repaired: context.repaired || literal.lenient });
      if (reading === null) break;
      calls.push(...reading.calls);
      incomplete += reading.incomplete;
      statesNone ||= reading.calls.length + reading.incomplete === 0 && isEmptyList(literal.value);
      end = at = literal.end;
      continue;
    }
    if (calls.length === 0 && !context.isMarked && !beginsCall(text, at)) break;
    const entries = matchEnd(LIST_START, text, at);
    if (entries > at && !isEntry) {
      const reading = readCallSequence(text, entries, { ...context, repaired: true, isMarked: true }, true);
      return { ...reading, calls: [...calls, ...reading.calls], incomplete: incomplete + Math.max(1, reading.incomplete) };
    }
    incomplete += 1;
    const behind = literal.kind === 'malformed' ? findBalancedEnd(text, at) : null;
    if (behind === null) break;
    end = at = behind;
  }
  return { calls, incomplete, statesNone: statesNone && calls.length === 0, end };
}

/** The index behind a match at `at`; `at` when there is none. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

const LOOK_AHEAD = 384;
const ENVELOPE_KEY = /["'](?:function|tool_calls?)["']\s*:/;
const NAME_KEY = /["']name["']\s*:/;
const ARGUMENTS_KEY = /["'](?:arguments|input|parameters)["']\s*:/;

/** Whether a call's key stands near the beginning of an object (contracts.md §1.8: within 384 characters). */
export function looksLikeCall(text: string, start: number): boolean {
  const head = text.slice(start, start + LOOK_AHEAD);
  return NAME_KEY.test(head) || ENVELOPE_KEY.test(head);
}

/** Whether an object that cannot be read was to be a call: a name alone is in much other data. */
export function beginsCall(text: string, start: number): boolean {
  const head = text.slice(start, start + LOOK_AHEAD);
  return ENVELOPE_KEY.test(head) || (NAME_KEY.test(head) && ARGUMENTS_KEY.test(head));
}

function isEmptyList(value: unknown): boolean {
  return isArguments(value) && Array.isArray(ownMember(value, 'tool_calls'));
}
