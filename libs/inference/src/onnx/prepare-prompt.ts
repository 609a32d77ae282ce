import { type SampleError, type SampleRequest } from '../generator.js';
import { thinkingCloseText, thinkingStart } from '../thinking-start.js';
import { type ChatTemplate, TemplateError } from './text/chat-template.js';
import { type TokenStream } from './text/token-stream.js';
import { type Tokenizer } from './text/tokenizer.js';

export interface PreparedPrompt {
  tokens: number[];
  thinkingStart: 'inside' | 'outside';
  /** Most tokens to generate: the request's limit, cut to what the context leaves. */
  maxTokens: number;
  /** The tokens that end a thought by force. */
  thinkingClose: (reasoningSoFar: string) => number[];
  newTokenStream: () => TokenStream;
}

export interface PromptReader {
  tokenizer: Tokenizer;
  template: ChatTemplate;
  contextTokens: number | null;
}

/** Renders and tokenises a request, or says why it cannot be answered. */
export function preparePrompt(request: SampleRequest, { tokenizer, template, contextTokens }: PromptReader): PreparedPrompt | SampleError {
  const { messages, tools, generation } = request;
  let rendered: string;
  try {
    rendered = template.render(messages, tools, generation.chat_template_kwargs);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { code: 'template_refused', message: error.message, retryable: false };
  }
  const tokens = tokenizer.encode(rendered);
  if (tokens.length === 0)
    return { code: 'prompt_empty', message: 'the chat template renders this conversation to nothing', retryable: false };
  const room = contextTokens === null ? Infinity : contextTokens - tokens.length;
  if (room < 1) {
    const message = `the prompt has ${tokens.length} tokens; the model's context of ${contextTokens} leaves no room for an answer`;
    return { code: 'prompt_too_long', message, retryable: false };
  }
  return {
    tokens,
    thinkingStart: thinkingStart(rendered),
    maxTokens: Math.min(generation.max_tokens, room),
    thinkingClose: (reasoningSoFar) => tokenizer.encode(thinkingCloseText(rendered, reasoningSoFar)),
    newTokenStream: () => tokenizer.stream(),
  };
}
