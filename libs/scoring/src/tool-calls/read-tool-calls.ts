import { type Tool } from '@kiln/contracts';
import { isTooDeep } from './argument-value.js';
import { readCallObject } from './read-call-object.js';
import { readFencedCalls } from './read-fenced-calls.js';
import { readInlineCalls } from './read-inline-calls.js';
import { readCallSequence } from './read-call-sequence.js';
import { readTaggedCalls } from './read-tagged-calls.js';
import { NO_CALLS, type ToolCallReading } from './tool-call.js';
import { toolCatalogue } from './tool-catalogue.js';

/**
 * Reads the calls of a text in any form that models write (contracts.md §1.8), in this order: a text that is JSON as a whole;
 * `<tool_call>` and `<function=…>` tags; fenced `tool_call` blocks; other fenced JSON; the first JSON amid prose. The first form that
 * has a call is the one that counts. Reasoning must have been removed. Linear in the text, for any text.
 *
 * @param tools the catalogue that the prompt offered: gives XML parameters their types
 */
export function readToolCalls(text: string, tools: readonly Tool[] | null): ToolCallReading {
  const catalogue = toolCatalogue(tools);
  let incomplete = 0;
  for (const read of READERS) {
    const reading = read(text, catalogue);
    if (reading.calls.length > 0 || reading.statesNone) return { ...reading, incomplete: reading.incomplete + incomplete };
    // What one form could not read to its end may still stand before calls of another form. It is one call, whoever saw it.
    incomplete = Math.max(incomplete, reading.incomplete);
  }
  return incomplete === 0 ? NO_CALLS : { calls: [], incomplete, statesNone: false };
}

/** The calls that a server had parsed; each as OpenAI writes it, or bare. One that nests too deeply is incomplete. */
export function readParsedCalls(calls: readonly unknown[]): ToolCallReading {
  const reading = readCallObject(
    { tool_calls: calls.map((call) => (isTooDeep(call) ? null : call)) },
    { shape: 'endpoint', repaired: false, isMarked: true },
  );
  return { ...(reading ?? NO_CALLS), statesNone: calls.length === 0 };
}

const READERS = [readWholeText, readTaggedCalls, readFencedCalls, readInlineCalls] as const;

const PYTHON_TAG = '<|python_tag|>';
const END_TAGS = /(?:\s|<\|(?:eom_id|eot_id|im_end|end_of_text|endoftext)\|>)*$/;

/**
 * A text that is JSON from its first character to its last: one value, or several joined by `;` as Llama does; and whatever JSON
 * stands behind `<|python_tag|>`.
 */
function readWholeText(text: string): ToolCallReading {
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) {
    const reading = readCallSequence(trimmed, 0, { shape: 'json', repaired: false, isMarked: false });
    const isWhole = END_TAGS.exec(trimmed.slice(reading.end, reading.end + 200))?.index === 0;
    // With prose behind it, it is JSON amid prose. What follows a broken call is not prose.
    return isWhole || (reading.incomplete > 0 && reading.calls.length > 0) ? reading : NO_CALLS;
  }
  const tag = trimmed.indexOf(PYTHON_TAG);
  if (tag < 0) return NO_CALLS;
  return readCallSequence(trimmed, tag + PYTHON_TAG.length, { shape: 'llama', repaired: false, isMarked: true });
}
