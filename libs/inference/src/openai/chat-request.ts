import { type FrozenEndpointTarget, type Message } from '@kiln/contracts';
import { type SampleRequest } from '../generator.js';

/** Servers hold seeds in anything from 31 bits up. */
const SEED_BITS = 31;

/** Absent from settings where they do nothing. */
const SENT_WHEN_SET = ['min_p', 'repetition_penalty', 'presence_penalty', 'frequency_penalty', 'logit_bias'] as const;

/** The field that limits the answer's tokens: the common one, or the only one that newer hosted models accept. */
export type LimitField = 'max_tokens' | 'max_completion_tokens';

/** Whether an endpoint refused the common field and wants the other. */
export function wantsOtherLimitField(status: number, body: string): boolean {
  return status === 400 && body.includes("'max_tokens'") && body.includes('max_completion_tokens');
}

/**
 * The body of a chat completion request. Only what differs from every server's default is sent beyond the common
 * fields: hosted services refuse fields that they do not know.
 */
export function chatRequest(
  { messages, tools, generation, seed }: SampleRequest,
  target: FrozenEndpointTarget,
  limitField: LimitField,
): Record<string, unknown> {
  const body: Record<string, unknown> = {
    model: target.model,
    messages: messages.map(wireMessage),
    temperature: generation.temperature,
    [limitField]: generation.max_tokens,
    seed: Number(BigInt.asUintN(SEED_BITS, BigInt(seed))),
    stream: false,
  };
  if (generation.top_p !== 1) body['top_p'] = generation.top_p;
  if (generation.top_k !== 0) body['top_k'] = generation.top_k;
  for (const field of SENT_WHEN_SET) if (generation[field] !== undefined) body[field] = generation[field];
  if (generation.stop.length > 0) body['stop'] = generation.stop;
  if (generation.chat_template_kwargs !== null) body['chat_template_kwargs'] = generation.chat_template_kwargs;
  if (tools !== null && tools.length > 0) body['tools'] = tools;
  return body;
}

/** An assistant message that only calls tools has no content in this protocol. */
function wireMessage(message: Message): Record<string, unknown> {
  const onlyCalls = message.tool_calls !== undefined && message.content === '';
  return onlyCalls ? { ...message, content: null } : message;
}
