import { type Arguments, isArguments, ownMember } from './argument-value.js';
import { decodeArguments } from './decode-arguments.js';
import { type ToolCall, type ToolCallFormat, type ToolCallShape } from './tool-call.js';

export interface CallObjectReading {
  readonly calls: readonly ToolCall[];
  readonly incomplete: number;
}

export interface CallContext {
  readonly shape: ToolCallShape;
  /** The JSON was not strict, or a tag is missing. */
  readonly repaired: boolean;
  /** The place says that this is a call, so that a bare `{"name":…}` needs no arguments. */
  readonly isMarked: boolean;
}

const ARGUMENT_KEYS = ['arguments', 'input', 'parameters'] as const;

/**
 * The calls of a JSON value: a list of them, `{"tool_calls":[…]}`, `{"function":{…}}`, `{"tool_call":{…}}`, or bare
 * `{name, arguments | input | parameters}`. Null when it is none of these. An entry that is no call is incomplete and leaves
 * the others alone.
 */
export function readCallObject(value: unknown, context: CallContext): CallObjectReading | null {
  if (Array.isArray(value)) {
    const reading = readEntries(value, { ...context, isMarked: false });
    return reading.calls.length > 0 ? reading : null;
  }
  if (!isArguments(value)) return null;
  const list = ownMember(value, 'tool_calls');
  if (Array.isArray(list)) return readEntries(list, { ...context, isMarked: true }, 'open_ai');
  const call = readOne(value, context);
  return call ? { calls: [call], incomplete: 0 } : null;
}

function readEntries(entries: readonly unknown[], context: CallContext, format?: ToolCallFormat): CallObjectReading {
  const calls = entries.map((entry) => (isArguments(entry) ? readOne(entry, context, format) : null)).filter((call) => call !== null);
  return { calls, incomplete: entries.length - calls.length };
}

function readOne(entry: Arguments, context: CallContext, format: ToolCallFormat = 'json_inline'): ToolCall | null {
  const inner = ownMember(entry, 'function');
  if (isArguments(inner)) return readNamed(inner, { ...context, isMarked: true }, 'open_ai');
  const wrapped = ownMember(entry, 'tool_call');
  if (isArguments(wrapped)) {
    const deeper = ownMember(wrapped, 'function');
    return readNamed(isArguments(deeper) ? deeper : wrapped, { ...context, isMarked: true }, format);
  }
  return readNamed(entry, context, format);
}

function readNamed(entry: Arguments, { shape, repaired, isMarked }: CallContext, format: ToolCallFormat): ToolCall | null {
  const name = ownMember(entry, 'name');
  const key = ARGUMENT_KEYS.find((candidate) => Object.hasOwn(entry, candidate));
  if (typeof name !== 'string' || name.trim() === '' || (key === undefined && !isMarked)) return null;
  const decoded = decodeArguments(key === undefined ? null : entry[key]);
  return {
    name: name.trim(),
    arguments: decoded.arguments,
    format: shape === 'fenced' ? 'fenced' : format,
    shape,
    repaired: repaired || decoded.repaired,
    undecoded: decoded.undecoded,
  };
}
