import { type GenerationStop } from '@kiln/contracts';
import { type SeparatedText, separateThinking } from '../completion-text.js';
import { type TokenBuckets } from '../price.js';
import { readUsage } from './usage.js';

/** The answer is no chat completion. */
export class ChatResponseError extends Error {
  override readonly name = 'ChatResponseError';
}

export interface ChatResponse extends SeparatedText {
  toolCalls: unknown[] | null;
  stopReason: GenerationStop;
  /** null: the endpoint reported none. */
  usage: TokenBuckets | null;
}

type Json = Record<string, unknown>;

/**
 * Reads a chat completion. Reasoning comes in a field of its own (`reasoning_content`, `reasoning`) where the server
 * separates it, else between tags in the text. `rawBytes` is the content as it came.
 * @throws ChatResponseError
 */
export function readChatResponse(body: string): ChatResponse {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    throw new ChatResponseError('the answer is not complete JSON', { cause });
  }
  const answer = asObject(parsed);
  const choices = answer['choices'];
  const choice = asObject(Array.isArray(choices) ? choices[0] : undefined);
  if (typeof choice['message'] !== 'object' || choice['message'] === null) {
    throw new ChatResponseError(`the answer has no choices[0].message${typeof answer['error'] === 'undefined' ? '' : ', but an error'}`);
  }
  const message = asObject(choice['message']);
  const calls = message['tool_calls'];
  const reasoning = message['reasoning_content'] ?? message['reasoning'];
  const apart = typeof reasoning === 'string' && reasoning !== '' ? reasoning : null;
  // A server that separates reasoning leaves an answer, which may speak of the tags.
  const separated = separateThinking(contentText(message['content']), apart === null ? 'unknown' : 'outside');
  const toolCalls = Array.isArray(calls) && calls.length > 0 ? calls : null;
  const stopped = stopReason(choice);
  return {
    ...separated,
    reasoningText: apart ?? separated.reasoningText,
    // Cut off before the first word of an answer: the thought never ended.
    unclosedThinking: separated.unclosedThinking || (apart !== null && stopped === 'length' && toolCalls === null && separated.text === ''),
    toolCalls,
    stopReason: stopped,
    usage: readUsage(answer['usage']),
  };
}

/** Content is text, nothing (a mere tool call), or a list of parts. */
function contentText(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map((part) => asObject(part)['text'])
      .filter((text) => typeof text === 'string')
      .join('');
  throw new ChatResponseError('choices[0].message.content is neither text nor a list of parts');
}

/** `stop_reason` is where some servers say which stop string it was. */
function stopReason(choice: Json): GenerationStop {
  if (choice['finish_reason'] === 'length') return 'length';
  return typeof choice['stop_reason'] === 'string' ? 'stop_string' : 'stop';
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
