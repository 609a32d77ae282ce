import { KilnError } from '@kiln/contracts';
import { type Generator, type SampleRequest, type SampleResult } from '../generator.js';
import { type BatchPart, type EngineReply, type EngineRequest, parseEngineRequest, type ResultPart, type WireError } from './protocol.js';

export interface ServeOptions {
  /** Sends a message to the supervisor. */
  send: (reply: EngineReply) => void;
  /** Samples that the generator is willing to hold at a time. */
  credits: number;
  /** Called when the supervisor asks to close, after the generator is closed. */
  onClosed: () => void;
}

/** How often the supervisor hears that work goes on while no result is due. */
const PROGRESS_INTERVAL_MS = 250;

/**
 * The child's end of the protocol: feeds a generator with what the supervisor sends, and sends back what comes out. Results of
 * one turn of the event loop travel in one message: per-message costs would otherwise exceed those of a small sample.
 */
export class GeneratorServer {
  readonly #generator: Generator;
  readonly #options: ServeOptions;
  readonly #calls = new Map<number, { abort: AbortController; parts: number }>();
  readonly #results = new Map<number, SampleResult[]>();
  readonly #timer: NodeJS.Timeout;
  #flushing = false;
  #progressed = false;

  constructor(generator: Generator, options: ServeOptions) {
    this.#generator = generator;
    this.#options = options;
    this.#timer = setInterval(() => this.#reportProgress(), PROGRESS_INTERVAL_MS);
    options.send({ type: 'ready', credits: options.credits });
  }

  /** Work has gone on. Reported to the supervisor from time to time, so that it can tell slow from hung. */
  readonly noteProgress = (): void => {
    this.#progressed = true;
  };

  /** Takes a message as it came. @throws ProtocolError */
  receive(message: unknown): void {
    const request = parseEngineRequest(message);
    switch (request.type) {
      case 'load':
        return void this.#acknowledge(request, async () => ({
          type: 'loaded',
          request: request.request,
          loaded: await this.#generator.load(request.target),
        }));
      case 'unload':
        return void this.#acknowledge(request, async () => {
          await this.#generator.unload(request.target);
          return { type: 'unloaded', request: request.request };
        });
      case 'batch':
        for (const part of request.parts) void this.#runPart(part);
        return;
      case 'cancel':
        return this.#calls.get(request.call)?.abort.abort();
      case 'close':
        return void this.close().then(this.#options.onClosed);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const { abort } of this.#calls.values()) abort.abort();
    await this.#generator.close();
  }

  async #acknowledge({ request }: Extract<EngineRequest, { request: number }>, task: () => Promise<EngineReply>): Promise<void> {
    const reply = await task().catch((error: unknown): EngineReply => ({ type: 'refused', request, error: toWireError(error) }));
    this.#options.send(reply);
  }

  /** Gives every sample of the part exactly one result, unless its call is cancelled. */
  async #runPart({ call, samples }: BatchPart): Promise<void> {
    const state = this.#calls.get(call) ?? { abort: new AbortController(), parts: 0 };
    this.#calls.set(call, state);
    state.parts++;
    const { signal } = state.abort;
    const unanswered = new Map(samples.map((sample) => [sample.id, sample]));
    let failure = 'the engine gave no result';
    try {
      for await (const result of this.#generator.generate(samples, signal)) {
        if (unanswered.delete(result.id)) this.#push(call, result);
      }
    } catch (error) {
      failure = `the engine failed: ${(error as Error).message}`;
    }
    if (!signal.aborted) for (const sample of unanswered.values()) this.#push(call, failed(sample, failure));
    else if (unanswered.size > 0) this.#options.send({ type: 'released', call, samples: unanswered.size });
    if (--state.parts === 0) this.#calls.delete(call);
  }

  #push(call: number, result: SampleResult): void {
    const results = this.#results.get(call);
    if (results === undefined) this.#results.set(call, [result]);
    else results.push(result);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    this.#progressed = false;
    const parts: ResultPart[] = [...this.#results].map(([call, results]) => ({ call, results }));
    this.#results.clear();
    this.#options.send({ type: 'results', parts });
  }

  #reportProgress(): void {
    if (!this.#progressed) return;
    this.#progressed = false;
    this.#options.send({ type: 'progress' });
  }
}

function failed({ id }: SampleRequest, message: string): SampleResult {
  return { id, ok: false, error: { code: 'engine_failed', message, retryable: true } };
}

function toWireError(error: unknown): WireError {
  if (error instanceof KilnError) return { code: error.code, message: error.message, hint: error.hint };
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error), hint: null };
}
