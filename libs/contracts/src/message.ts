import { z } from 'zod';
import { JsonObject } from './scalars/json-value.js';
import { Text, nonBlankText } from './scalars/text.js';
import { namesFunction } from './tool.js';

export const MessageRole = z.enum(['system', 'user', 'assistant', 'tool']).meta({ id: 'MessageRole' });
export type MessageRole = z.infer<typeof MessageRole>;

/** A tool call as the OpenAI shape or the bare shape writes it; kept whole, because chat templates read different parts. */
const ToolCall = JsonObject.refine(namesFunction, 'must have a non-empty "function.name" or "name"');

const MessageFields = z.object({
  role: MessageRole,
  content: Text,
  tool_calls: z.array(ToolCall).exactOptional(),
  tool_call_id: nonBlankText(512).exactOptional(),
  name: nonBlankText(512).exactOptional(),
});

/**
 * One message of a conversation. An assistant message that only calls tools may omit its content or send null, as the
 * OpenAI shape does; it is then empty text.
 */
export const Message = z
  .preprocess(withToolCallContent, MessageFields)
  .meta({ id: 'Message', description: 'content may be null or left out when an assistant message has tool_calls.' });
export type Message = z.infer<typeof Message>;

function withToolCallContent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { content, tool_calls: calls } = value as { content?: unknown; tool_calls?: unknown };
  const onlyCalls = (content === undefined || content === null) && Array.isArray(calls) && calls.length > 0;
  return onlyCalls ? { ...value, content: '' } : value;
}
