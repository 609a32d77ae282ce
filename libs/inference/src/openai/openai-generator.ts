import { setTimeout as sleep } from 'node:timers/promises';
import { type FrozenEndpointTarget, type FrozenTarget, KilnError } from '@kiln/contracts';
import {
  type GeneratedTrace,
  type Generator,
  type LoadedTarget,
  type SampleError,
  type SampleRequest,
  type SampleResult,
} from '../generator.js';
import { priceOf } from '../price.js';
import { promptTokenBound } from '../prompt-token-bound.js';
import { ResultChannel } from '../result-channel.js';
import { NO_THINKING_BUDGET } from '../thinking-budget.js';
import { chatRequest, type LimitField, wantsOtherLimitField } from './chat-request.js';
import { type ChatResponse, ChatResponseError, readChatResponse } from './chat-response.js';
import { classifyAnswer, classifyFailure } from './classify-answer.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { endpointKey } from './endpoint-key.js';
import { HttpFailure, JsonPoster } from './post-json.js';
import { retryAfterMs, retryDelayMs } from './retry.js';

export interface OpenAiGeneratorOptions {
  /** Reads the environment variable that holds an endpoint's key. */
  readEnvironment: (name: string) => string | undefined;
  /** Variables that targets may name; null = by the rule of `mayBeEndpointKey`. */
  allowedKeys?: readonly string[] | null;
  maxResponseBytes?: number;
  maxAttempts?: number;
  /** A number in [0, 1), for the jitter of retries. */
  random?: () => number;
  /** Called when an attempt begins or ends. */
  onProgress?: () => void;
}

type Attempt = { ok: true; response: ChatResponse; latencyMs: number } | { ok: false; error: SampleError; retryAfterMs: number | null };

const DEFAULTS = { allowedKeys: null, maxResponseBytes: 8 * 2 ** 20, maxAttempts: 6, random: Math.random, onProgress: () => {} };

/** Chat completions of OpenAI-compatible endpoints. */
export class OpenAiGenerator implements Generator {
  readonly #options: Required<OpenAiGeneratorOptions>;
  readonly #poster = new JsonPoster();
  readonly #limits = new Map<string, ConcurrencyLimit>();
  /** Learned from refusals, by endpoint and model. */
  readonly #limitFields = new Map<string, LimitField>();

  constructor(options: OpenAiGeneratorOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  async load(target: FrozenTarget): Promise<LoadedTarget> {
    const { base_url, model, revision } = requireEndpoint(target);
    return { provenance: { engine: 'kiln.openai.v1', base_url, model, revision }, contextTokens: null };
  }

  async unload(): Promise<void> {}

  generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncIterable<SampleResult> {
    const abandoned = new AbortController();
    const either = AbortSignal.any([signal, abandoned.signal]);
    const channel = new ResultChannel<SampleResult>({ onAbandoned: () => abandoned.abort() });
    const tasks = samples.map(async (sample) => {
      const target = requireEndpoint(sample.target);
      const result = await this.#limit(target).run(() => this.#answer(sample, target, either));
      if (result !== null) channel.push(result);
    });
    Promise.all(tasks).then(
      () => channel.end(),
      (error: unknown) => channel.fail(error),
    );
    return channel;
  }

  async close(): Promise<void> {
    this.#poster.close();
  }

  #limit({ base_url, concurrency }: FrozenEndpointTarget): ConcurrencyLimit {
    const key = `${concurrency} ${base_url}`;
    const limit = this.#limits.get(key) ?? new ConcurrencyLimit(concurrency);
    this.#limits.set(key, limit);
    return limit;
  }

  /** Attempts until there is an answer, a permanent error, no attempt left or no time; null when aborted. */
  async #answer(sample: SampleRequest, target: FrozenEndpointTarget, signal: AbortSignal): Promise<SampleResult | null> {
    const { id, deadlineMs } = sample;
    const deadline = performance.now() + deadlineMs;
    const access = endpointKey(target.api_key_env, this.#options.readEnvironment, this.#options.allowedKeys);
    if ('code' in access) return signal.aborted ? null : { id, ok: false, error: access };
    for (let attempt = 0; ; attempt++) {
      if (signal.aborted) return null;
      const outcome = await this.#attempt(sample, target, access.key, deadline - performance.now(), signal);
      this.#options.onProgress();
      if (outcome === null) return null;
      if (outcome.ok) return { id, ok: true, trace: toTrace(sample, target, outcome.response, outcome.latencyMs) };
      const delay = retryDelayMs(attempt, outcome.retryAfterMs, this.#options.random());
      if (!outcome.error.retryable || attempt + 1 >= this.#options.maxAttempts) return { id, ok: false, error: outcome.error };
      if (performance.now() + delay >= deadline) {
        const message = `${outcome.error.message}; no time for another attempt within ${deadlineMs} ms`;
        return { id, ok: false, error: { ...outcome.error, message } };
      }
      await sleep(delay, undefined, { signal }).catch(() => {});
    }
  }

  async #attempt(
    sample: SampleRequest,
    target: FrozenEndpointTarget,
    key: string | null,
    leftMs: number,
    signal: AbortSignal,
  ): Promise<Attempt | null> {
    const started = performance.now();
    const headers = { ...target.headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
    const endpoint = `${target.model} ${target.base_url}`;
    const limitField = this.#limitFields.get(endpoint) ?? 'max_tokens';
    const failed = (error: SampleError, retryAfter: number | null = null): Attempt => ({
      ok: false,
      error: withoutKey(error, key),
      retryAfterMs: retryAfter,
    });
    try {
      const answer = await this.#poster.post(`${target.base_url.replace(/\/+$/, '')}/chat/completions`, {
        headers,
        body: JSON.stringify(chatRequest(sample, target, limitField)),
        timeoutMs: Math.max(1, Math.min(target.timeout_ms, leftMs)),
        maxBytes: this.#options.maxResponseBytes,
        signal,
      });
      if (limitField === 'max_tokens' && wantsOtherLimitField(answer.status, answer.body)) {
        this.#limitFields.set(endpoint, 'max_completion_tokens');
        return failed({ ...classifyAnswer(answer), retryable: true }, 0);
      }
      if (answer.status < 200 || answer.status > 299) return failed(classifyAnswer(answer), retryAfterMs(answer.headers, Date.now()));
      return { ok: true, response: readChatResponse(answer.body), latencyMs: performance.now() - started };
    } catch (error) {
      if (signal.aborted) return null;
      if (error instanceof HttpFailure) return failed(classifyFailure(error));
      if (error instanceof ChatResponseError) return failed({ code: 'endpoint_bad_response', message: error.message, retryable: true });
      return failed({
        code: 'endpoint_request_invalid',
        message: `the request could not be sent: ${(error as Error).message}`,
        retryable: false,
      });
    }
  }
}

function toTrace(
  sample: SampleRequest,
  target: FrozenEndpointTarget,
  { usage, ...answer }: ChatResponse,
  latencyMs: number,
): GeneratedTrace {
  const { usd, basis } = priceOf(target.pricing, usage, latencyMs);
  // What was not reported is charged to token caps at its bound: a cap must hold.
  const tokens = usage ?? {
    input: promptTokenBound(sample.messages, sample.tools),
    cachedInput: 0,
    cacheWrite: 0,
    output: sample.generation.max_tokens,
  };
  return {
    ...answer,
    tokenIds: null,
    thinkingBudget: NO_THINKING_BUDGET,
    promptTokens: tokens.input + tokens.cachedInput + tokens.cacheWrite,
    cachedTokens: tokens.cachedInput,
    cacheWriteTokens: tokens.cacheWrite,
    completionTokens: tokens.output,
    tokensEstimated: usage === null,
    latencyMs,
    usd,
    priceBasis: basis,
  };
}

/** Some servers quote the key that they refuse. */
function withoutKey(error: SampleError, key: string | null): SampleError {
  return key === null ? error : { ...error, message: error.message.replaceAll(key, '[key]') };
}

function requireEndpoint(target: FrozenTarget): FrozenEndpointTarget {
  if (target.kind !== 'endpoint') throw new KilnError('target_not_served', 'only endpoints are served here');
  return target;
}
