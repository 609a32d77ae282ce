import { readCallSequence } from './read-call-sequence.js';
import { type ToolCall, type ToolCallReading, NO_CALLS } from './tool-call.js';
import { type ToolCatalogue } from './tool-catalogue.js';

const FENCE = /^[ \t]*```[ \t]*(\w*)[ \t]*\r?\n?/gm;
const CALL_FENCES: ReadonlySet<string> = new Set(['tool_call', 'tool_calls']);
const JSON_FENCES: ReadonlySet<string> = new Set(['', 'json', 'jsonc', 'python']);

/**
 * Reads fenced blocks that hold calls: those marked `tool_call`, else those of JSON. A block ends where its JSON does, so that
 * fences inside strings do no harm.
 */
export function readFencedCalls(text: string, catalogue: ToolCatalogue): ToolCallReading {
  if (!text.includes('```')) return NO_CALLS;
  const marked = readBlocks(text, CALL_FENCES, true);
  if (marked.calls.length > 0 || marked.incomplete > 0) return marked;
  const { calls, ...rest } = readBlocks(text, JSON_FENCES, false);
  return { ...rest, calls: preferDeclared(calls, catalogue) };
}

/** JSON that only looks like a call: when some of it names a declared tool, the rest is data. */
function preferDeclared(calls: readonly ToolCall[], catalogue: ToolCatalogue): readonly ToolCall[] {
  const declared = calls.filter(({ name }) => catalogue.find(name) !== null);
  return declared.length > 0 ? declared : calls;
}

function readBlocks(text: string, infos: ReadonlySet<string>, isMarked: boolean): ToolCallReading {
  const calls: ToolCall[] = [];
  let incomplete = 0;
  let statesNone = false;
  const fence = new RegExp(FENCE);
  for (let match = fence.exec(text); match; match = fence.exec(text)) {
    if (!infos.has((match[1] ?? '').toLowerCase())) continue;
    const reading = readCallSequence(text, fence.lastIndex, { shape: 'fenced', repaired: false, isMarked });
    calls.push(...reading.calls);
    incomplete += reading.incomplete;
    statesNone ||= reading.statesNone;
    fence.lastIndex = Math.max(fence.lastIndex, reading.end);
  }
  return { calls, incomplete, statesNone: statesNone && calls.length === 0 };
}
