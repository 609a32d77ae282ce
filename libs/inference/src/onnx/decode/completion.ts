import { adjustsLogits, NOTHING_SEEN, type SeenTokens } from '../../sampling/adjust-logits.js';
import { type SampleError, type SampleRequest, type SampleResult } from '../../generator.js';
import { CompletionText } from '../../completion-text.js';
import { type PhiloxKey, philoxKey } from '../../sampling/philox.js';
import { priceOf } from '../../price.js';
import { type Candidates, sampleCandidates } from '../../sampling/sample-candidates.js';
import { InvalidLogitsError, sampleToken } from '../../sampling/sampler.js';
import { ThinkingBudget } from '../../thinking-budget.js';
import { type PreparedPrompt } from '../prepare-prompt.js';
import { type TokenStream } from '../text/token-stream.js';
import { type Advance, type TokenChooser } from './token-chooser.js';

type StopReason = 'stop' | 'stop_string' | 'length';

/**
 * One completion while it is decoded: chooses tokens, follows the text, knows when it is over. Everything that it does
 * depends on its own request and logits alone, except for limits in time.
 */
export class Completion implements TokenChooser {
  readonly #request: SampleRequest;
  readonly #prompt: PreparedPrompt;
  readonly #endTokens: ReadonlySet<number>;
  readonly #key: PhiloxKey;
  readonly #text: CompletionText;
  readonly #stream: TokenStream;
  readonly #thinking: ThinkingBudget;
  /** Tokens of the answer with their counts; null where no setting asks for them. */
  readonly #counts: Map<number, number> | null;
  readonly #seen: SeenTokens;
  #startedAt = 0;
  /** What was generated, whether it was sampled or forced. */
  readonly #tokens: number[] = [];
  #outcome: StopReason | SampleError | null = null;

  constructor(request: SampleRequest, prompt: PreparedPrompt, endTokens: ReadonlySet<number>) {
    const { generation, seed } = request;
    this.#request = request;
    this.#prompt = prompt;
    this.#endTokens = endTokens;
    this.#key = philoxKey(seed);
    this.#text = new CompletionText(prompt.thinkingStart, generation.stop);
    this.#stream = prompt.newTokenStream();
    this.#thinking = new ThinkingBudget(
      {
        maxTokens: generation.thinking_budget_tokens ?? null,
        maxTimeMs: generation.thinking_budget_ms ?? null,
        timeUpAt: request.thinkingTimeUpAt,
      },
      () => prompt.thinkingClose(this.#text.reasoning),
    );
    this.#counts = adjustsLogits(generation) ? new Map() : null;
    this.#seen = this.#counts === null ? NOTHING_SEEN : { prompt: new Set(prompt.tokens), answer: this.#counts };
  }

  get #generated(): number {
    return this.#tokens.length;
  }

  /** Its prompt begins to be processed. */
  start(now: number): void {
    this.#startedAt = now;
  }

  get temperature(): number {
    return this.#request.generation.temperature;
  }

  /** Takes the logits for the next position, or what a device found of them. */
  advance(logits: Float32Array | Candidates, now: number): Advance {
    if (now - this.#startedAt > this.#request.deadlineMs) {
      this.fail({ code: 'deadline_exceeded', message: `no complete answer within ${this.#request.deadlineMs} ms`, retryable: true });
      return 'over';
    }
    let token: number | null;
    try {
      token = this.#thinking.next(this.#text.thinking, now) ?? this.#choose(logits);
    } catch (error) {
      if (!(error instanceof InvalidLogitsError)) throw error;
      this.fail({ code: 'invalid_logits', message: `the model computed no probabilities: ${error.message}`, retryable: false });
      return 'over';
    }
    if (token === null) return 'undecided';
    this.#tokens.push(token);
    this.#counts?.set(token, (this.#counts.get(token) ?? 0) + 1);
    this.#outcome = this.#accept(token);
    this.#thinking.accept(this.#text.thinking, now);
    return this.#outcome === null ? { token } : 'over';
  }

  /** Ends it as an error. */
  fail(error: SampleError): void {
    this.#outcome = error;
  }

  /** The result, once `advance` has returned `over` or `fail` was called. */
  result(now: number): SampleResult {
    const { id, target } = this.#request;
    if (this.#outcome === null) throw new Error(`sample ${id} is not complete`);
    if (typeof this.#outcome === 'object') return { id, ok: false, error: this.#outcome };
    const latencyMs = now - this.#startedAt;
    const promptTokens = this.#prompt.tokens.length;
    // What a cache holds depends on a sample's neighbours; its price must not.
    const buckets = { input: promptTokens, cachedInput: 0, cacheWrite: 0, output: this.#generated };
    const { usd, basis } = priceOf(target.pricing, buckets, latencyMs);
    return {
      id,
      ok: true,
      trace: {
        ...this.#text.finish(),
        tokenIds: Uint32Array.from(this.#tokens),
        thinkingBudget: this.#thinking.outcome(this.#outcome === 'length'),
        toolCalls: null,
        promptTokens,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        completionTokens: this.#generated,
        tokensEstimated: false,
        latencyMs,
        stopReason: this.#outcome,
        usd,
        priceBasis: basis,
      },
    };
  }

  #choose(logits: Float32Array | Candidates): number | null {
    const { generation } = this.#request;
    return logits instanceof Float32Array
      ? sampleToken(logits, generation, this.#key, this.#generated, this.#seen)
      : sampleCandidates(logits, generation, this.#key, this.#generated);
  }

  #accept(token: number): StopReason | null {
    if (this.#endTokens.has(token)) {
      this.#text.push(this.#stream.flush());
      return this.#text.stopped ? 'stop_string' : 'stop';
    }
    this.#text.push(this.#stream.push(token));
    if (this.#text.stopped) return 'stop_string';
    if (this.#generated < this.#prompt.maxTokens) return null;
    this.#text.push(this.#stream.flush());
    return this.#text.stopped ? 'stop_string' : 'length';
  }
}
