import {
  type FrozenTarget,
  type Generation,
  type GenerationStop,
  type JsonObject,
  type Message,
  type PriceBasis,
  type ThinkingBudgetOutcome,
  type Tool,
} from '@kiln/contracts';

/**
 * Turns samples into traces. One port for local models, HTTP endpoints and the echo, inside a child process and out.
 *
 * Promises that callers build on: a sample's tokens depend on its own request only, never on its neighbours; results come
 * as soon as each is complete, in any order; every sample gets exactly one result unless the call is aborted.
 */
export interface Generator {
  /** Makes `target` ready and acknowledges. @throws KilnError `target_changed` when files no longer match their digests. */
  load(target: FrozenTarget): Promise<LoadedTarget>;
  /** Frees what `target` holds, unless it is still needed by calls. Unloading what is not loaded does nothing. */
  unload(target: FrozenTarget): Promise<void>;
  /**
   * `samples` have distinct ids. After `signal` aborts, the iteration ends quietly; only results that had already arrived are
   * still delivered. Breaking out of the iteration cancels what is left.
   */
  generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncIterable<SampleResult>;
  close(): Promise<void>;
}

export interface LoadedTarget {
  /** Everything besides the target's files and the request that its answers may depend on; JSON, for hashing and storing. */
  provenance: ExecutionProvenance;
  /** Most tokens of prompt and answer together; null when it is not known. */
  contextTokens: number | null;
}

export type ExecutionProvenance = JsonObject;

export interface SampleRequest {
  id: string;
  target: FrozenTarget;
  messages: Message[];
  tools: Tool[] | null;
  generation: Generation;
  /** The sample's own seed, already derived from job, example and completion index: u64 as a decimal string. */
  seed: string;
  /** Most milliseconds that generating may take, counted from when it starts, waiting in line excluded. */
  deadlineMs: number;
  /** A replay: generated tokens at which the limit on reasoning in time was reached ({@link ThinkingBudgetOutcome} `time_up_at`). */
  thinkingTimeUpAt?: number;
}

export type SampleResult = { id: string; ok: true; trace: GeneratedTrace } | { id: string; ok: false; error: SampleError };

export interface SampleError {
  /** Stable, such as `prompt_too_long`, `deadline_exceeded`, `endpoint_rate_limited`. */
  code: string;
  message: string;
  /** Another attempt may succeed. */
  retryable: boolean;
}

export interface GeneratedTrace {
  /** What was generated, reasoning included, up to the stop string or end token. Not always valid UTF-8. */
  rawBytes: Uint8Array;
  /** Ids of all tokens that were generated, in order, the end token and forced ones included; null where nobody knows them. */
  tokenIds: Uint32Array | null;
  /** The answer without reasoning, for scoring. */
  text: string;
  reasoningText: string | null;
  unclosedThinking: boolean;
  thinkingBudget: ThinkingBudgetOutcome;
  /** Tool calls that the endpoint returned in parsed form; null when the text is all there is. */
  toolCalls: unknown[] | null;
  /** All tokens of the prompt, those from a cache included. */
  promptTokens: number;
  /** The part of `promptTokens` that was read from a cache. */
  cachedTokens: number;
  /** The part of `promptTokens` that was written to a cache at a price of its own. */
  cacheWriteTokens: number;
  /** As many as there are `tokenIds`, where those are known. */
  completionTokens: number;
  /** The endpoint reported no usage; the counts are upper bounds. */
  tokensEstimated: boolean;
  /** From the start of generating to its end; for an endpoint, the successful attempt. */
  latencyMs: number;
  stopReason: GenerationStop;
  /** US dollars as a decimal string; null = unknown, never 0. */
  usd: string | null;
  priceBasis: PriceBasis;
}
