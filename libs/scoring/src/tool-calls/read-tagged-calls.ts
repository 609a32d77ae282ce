import { readCallObject } from './read-call-object.js';
import { decodeArguments } from './decode-arguments.js';
import { isArguments } from './argument-value.js';
import { readLiteral } from './read-literal.js';
import { readXmlCall } from './read-xml-call.js';
import { readTagTokens, type TagToken } from './tag-tokens.js';
import { NO_CALLS, type ToolCall, type ToolCallReading } from './tool-call.js';
import { type ToolCatalogue } from './tool-catalogue.js';

interface BlockReading {
  readonly calls: readonly ToolCall[];
  readonly incomplete: number;
  readonly next: number;
}

/**
 * Reads calls between tags: Qwen's XML, JSON in `<tool_call>` (Hermes), and `<function=name>{…}</function>` (Llama), mixed or
 * not. A bare mention of a tag is no call; a block that cannot be read is incomplete, and reading goes on at the next tag.
 */
export function readTaggedCalls(text: string, catalogue: ToolCatalogue): ToolCallReading {
  if (!text.includes('<tool_call>') && !text.includes('<function=')) return NO_CALLS;
  const tokens = readTagTokens(text);
  const calls: ToolCall[] = [];
  let incomplete = 0;
  for (let index = 0; index < tokens.length;) {
    const block = readBlock(text, tokens, index, catalogue);
    calls.push(...block.calls);
    incomplete += block.incomplete;
    index = Math.max(block.next, index + 1);
  }
  return { calls, incomplete, statesNone: false };
}

function readBlock(text: string, tokens: readonly TagToken[], index: number, catalogue: ToolCatalogue): BlockReading {
  const token = tokens[index]!;
  const nothing = { calls: [], incomplete: 0, next: index + 1 };
  if (token.kind === 'function_open') return readFunction(text, tokens, index, false, catalogue);
  if (token.kind !== 'call_open') return nothing;
  if (token.isGapBlank && tokens[index + 1]?.kind === 'function_open') return readFunction(text, tokens, index + 1, true, catalogue);
  const body = firstVisible(text, token.end);
  if (text[body] === '{' || text[body] === '[') return readJsonBlock(text, tokens, index, body);
  const isCutOff = index === tokens.length - 1 && '<function='.startsWith(text.slice(body).trimEnd());
  return isCutOff ? { ...nothing, incomplete: 1 } : nothing;
}

function readFunction(
  text: string,
  tokens: readonly TagToken[],
  opening: number,
  isTagged: boolean,
  catalogue: ToolCatalogue,
): BlockReading {
  const token = tokens[opening]!;
  const body = firstVisible(text, token.end);
  if (token.isWhole && token.name !== '' && text[body] === '{') {
    const literal = readLiteral(text, body);
    if (literal.kind !== 'value' || !isArguments(literal.value)) return { calls: [], incomplete: 1, next: opening + 1 };
    const { next, isClosed } = closingTag(text, tokens, opening, literal.end, 'function_close');
    const decoded = decodeArguments(literal.value);
    const call: ToolCall = {
      name: token.name,
      arguments: decoded.arguments,
      format: 'json_inline',
      shape: 'llama_function',
      repaired: literal.lenient || !isClosed,
      undecoded: decoded.undecoded,
    };
    return { calls: [call], incomplete: 0, next: isTagged && tokens[next]?.kind === 'call_close' ? next + 1 : next };
  }
  const calls: ToolCall[] = [];
  // More functions in one block: malformed, and clear enough.
  for (let index = opening; ;) {
    const reading = readXmlCall(text, tokens, index, isTagged, catalogue);
    if (reading.call) calls.push(index === opening ? reading.call : { ...reading.call, repaired: true });
    const isFollowed = isTagged && reading.call !== null && tokens[reading.next]?.kind === 'function_open';
    if (!isFollowed || !tokens[reading.next - 1]!.isGapBlank || tokens[reading.next - 1]!.kind !== 'function_close') {
      return { calls, incomplete: reading.isIncomplete ? 1 : 0, next: reading.next };
    }
    index = reading.next;
  }
}

/** `<tool_call>{"name":…}</tool_call>`. The JSON tells where it ends, whatever its strings quote. */
function readJsonBlock(text: string, tokens: readonly TagToken[], index: number, body: number): BlockReading {
  const literal = readLiteral(text, body);
  const failed = { calls: [], incomplete: 1, next: index + 1 };
  if (literal.kind !== 'value') return failed;
  const { next, isClosed } = closingTag(text, tokens, index, literal.end, 'call_close');
  const reading = readCallObject(literal.value, { shape: 'hermes', repaired: literal.lenient || !isClosed, isMarked: true });
  return reading ? { ...reading, next } : { ...failed, next };
}

/** The closing tag that must stand at `from`, stray closing brackets and quotes aside; else the first token behind `from`. */
function closingTag(
  text: string,
  tokens: readonly TagToken[],
  opening: number,
  from: number,
  kind: TagToken['kind'],
): { next: number; isClosed: boolean } {
  let next = opening + 1;
  while (next < tokens.length && tokens[next]!.start < from) next += 1;
  const isClosed = tokens[next]?.kind === kind && text.slice(from, tokens[next]!.start).trim() === '';
  return { next: isClosed ? next + 1 : next, isClosed };
}

function firstVisible(text: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  return from + (space.exec(text)?.[0].length ?? 0);
}
