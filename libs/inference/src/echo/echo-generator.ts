import { type FrozenTarget, KilnError } from '@kiln/contracts';
import { CompletionText } from '../completion-text.js';
import { type GeneratedTrace, type Generator, type LoadedTarget, type SampleRequest, type SampleResult } from '../generator.js';
import { priceOf } from '../price.js';
import { NO_THINKING_BUDGET } from '../thinking-budget.js';

/** What the echo is, in its own answers' provenance. */
export const ECHO_VERSION = 'kiln.echo.v1';

/** A token of the echo: a word with the white space before it. */
const TOKEN = /\s*\S+|\s+$/gu;

/**
 * Answers with the last user message: a target whose answers are known, for documentation, for tests, and for measuring
 * everything except generation. Stop strings, max_tokens and reasoning tags work as with a model.
 */
export class EchoGenerator implements Generator {
  async load(target: FrozenTarget): Promise<LoadedTarget> {
    requireEcho(target);
    return { provenance: { engine: ECHO_VERSION }, contextTokens: null };
  }

  async unload(): Promise<void> {}

  async *generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncGenerator<SampleResult> {
    for (const sample of samples) {
      if (signal.aborted) return;
      requireEcho(sample.target);
      yield { id: sample.id, ok: true, trace: echo(sample) };
    }
  }

  async close(): Promise<void> {}
}

function echo({ messages, generation, target }: SampleRequest): GeneratedTrace {
  const answer = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const { tokens, end } = readTokens(answer, generation.max_tokens);
  const completion = new CompletionText('outside', generation.stop);
  completion.push(Buffer.from(answer.slice(0, end)));
  const promptTokens = messages.reduce((sum, message) => sum + readTokens(message.content, Infinity).tokens, 0);
  const price = priceOf(target.pricing, { input: promptTokens, cachedInput: 0, cacheWrite: 0, output: tokens }, 0);
  const { rawBytes, text, reasoningText, unclosedThinking } = completion.finish();
  // Named one by one: an object spread takes V8 longer than all the rest of this.
  return {
    rawBytes,
    // Its tokens are words, and have no numbers.
    tokenIds: null,
    text,
    reasoningText,
    unclosedThinking,
    thinkingBudget: NO_THINKING_BUDGET,
    toolCalls: null,
    promptTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: tokens,
    tokensEstimated: false,
    latencyMs: 0,
    stopReason: completion.stopped ? 'stop_string' : end < answer.length ? 'length' : 'stop',
    usd: price.usd,
    priceBasis: price.basis,
  };
}

/** Counts the tokens of `text`, at most `limit`, and says where the last of them ends. Together they cover the whole text. */
function readTokens(text: string, limit: number): { tokens: number; end: number } {
  // `test` makes no objects: the echo must not be what a measurement of everything else measures.
  const token = new RegExp(TOKEN);
  let tokens = 0;
  let end = 0;
  while (tokens < limit && token.test(text)) {
    tokens += 1;
    end = token.lastIndex;
  }
  return { tokens, end };
}

function requireEcho(target: FrozenTarget): void {
  if (target.kind !== 'model' || target.engine !== 'echo')
    throw new KilnError('target_not_served', 'the echo serves the model "echo" only');
}
