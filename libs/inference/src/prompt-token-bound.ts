import { type Message, type Tool } from '@kiln/contracts';

/** Tokens that a template writes around everything: begin of text, a default system line, the opened answer. */
const TEMPLATE_TOKENS = 64;
/** Tokens around one message: its role, its separators. */
const MESSAGE_TOKENS = 16;
/** The instructions that templates write before a catalogue of tools. */
const TOOL_PREAMBLE_TOKENS = 512;

/**
 * An upper bound, in tokens, of a prompt that is not rendered yet; budgets reserve it. A tokenizer of bytes makes at most
 * one token of each UTF-8 byte; the template's own text is allowed for. Templates that write an unusually long text of their
 * own may exceed it, and the excess is reported when the sample is settled.
 */
export function promptTokenBound(messages: readonly Message[], tools: readonly Tool[] | null): number {
  let tokens = TEMPLATE_TOKENS;
  for (const message of messages) tokens += MESSAGE_TOKENS + messageBytes(message);
  if (tools !== null && tools.length > 0) tokens += TOOL_PREAMBLE_TOKENS + Buffer.byteLength(JSON.stringify(tools, null, 4));
  return tokens;
}

function messageBytes(message: Message): number {
  let bytes = Buffer.byteLength(message.content);
  if (message.tool_calls !== undefined) bytes += Buffer.byteLength(JSON.stringify(message.tool_calls, null, 4));
  for (const text of [message.name, message.tool_call_id]) if (text !== undefined) bytes += Buffer.byteLength(text);
  return bytes;
}
