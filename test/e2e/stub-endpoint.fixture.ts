import { type Pricing, type TargetSpec } from '@kiln/contracts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** One request for a completion: the generation log, written by the side that generates. */
export interface StubCall {
  /** Milliseconds since 1970 at which it arrived. */
  at: number;
  model: string;
  /** The last user message. */
  prompt: string;
  /** As sent: 31 bits of the sample's seed. */
  seed: number;
  /** When the answer was sent; null while it waits, or when the caller went away. */
  answeredAt: number | null;
  /** When the caller closed the connection before the answer; null when it did not. */
  abandonedAt: number | null;
}

interface Waiting {
  call: StubCall;
  response: ServerResponse;
}

/**
 * An OpenAI-compatible endpoint outside the product, under the control of a test: it can be slow, hold its answers back, fail,
 * and report any usage. It answers with the last user message unless told otherwise.
 */
export class StubEndpoint {
  readonly calls: StubCall[] = [];
  delayMs = 0;
  answer: (call: StubCall) => string = (call) => call.prompt;
  usage: (call: StubCall) => { prompt_tokens: number; completion_tokens: number } = () => ({ prompt_tokens: 10, completion_tokens: 5 });
  /** Told of each call as it arrives. */
  onCall: (call: StubCall) => void = () => undefined;
  /** A status other than 200 to answer with, or null. */
  failure: (call: StubCall) => number | null = () => null;

  readonly #server: Server;
  readonly #held: Waiting[] = [];
  /** Calls from this number on are held back. */
  #holdFrom = Infinity;

  constructor() {
    this.#server = createServer((request, response) => void this.#accept(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  get answered(): number {
    return this.calls.filter((call) => call.answeredAt !== null).length;
  }

  /** Calls whose caller went away. */
  get abandoned(): StubCall[] {
    return this.calls.filter((call) => call.abandonedAt !== null);
  }

  /** Calls that wait for `release`. */
  get held(): number {
    return this.#held.length;
  }

  /** Answers `count` more calls and holds back those that follow. */
  holdAfter(count = 0): void {
    this.#holdFrom = this.calls.length + count;
  }

  /** Answers all that was held back, and everything that follows. */
  release(): void {
    this.#holdFrom = Infinity;
    for (const waiting of this.#held.splice(0)) this.#reply(waiting);
  }

  /** Forgets calls and behaviour. */
  reset(): void {
    this.release();
    this.calls.length = 0;
    this.delayMs = 0;
    this.answer = (call) => call.prompt;
    this.usage = () => ({ prompt_tokens: 10, completion_tokens: 5 });
    this.onCall = () => undefined;
    this.failure = () => null;
  }

  /** This endpoint as a target. A shard holds 5 × `concurrency` samples. */
  target(name: string, options: { pricing?: Pricing; concurrency?: number; timeoutMs?: number; revision?: string } = {}): TargetSpec {
    return {
      kind: 'endpoint',
      name,
      base_url: this.url,
      model: name,
      pricing: options.pricing ?? { kind: 'free' },
      concurrency: options.concurrency ?? 4,
      timeout_ms: options.timeoutMs ?? 60_000,
      ...(options.revision === undefined ? {} : { revision: options.revision }),
    };
  }

  async #accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      // The caller was killed while it sent: nothing was asked.
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatBody;
    const prompt = body.messages.findLast((message) => message.role === 'user')?.content ?? '';
    const call: StubCall = { at: Date.now(), model: body.model, prompt, seed: body.seed, answeredAt: null, abandonedAt: null };
    const number = this.calls.push(call);
    const waiting = { call, response };
    response.on('close', () => {
      if (call.answeredAt !== null) return;
      call.abandonedAt = Date.now();
      const at = this.#held.indexOf(waiting);
      if (at >= 0) this.#held.splice(at, 1);
    });
    this.onCall(call);
    if (number > this.#holdFrom) this.#held.push(waiting);
    else if (this.delayMs > 0) setTimeout(() => this.#reply(waiting), this.delayMs);
    else this.#reply(waiting);
  }

  #reply({ call, response }: Waiting): void {
    if (call.abandonedAt !== null) return;
    const status = this.failure(call) ?? 200;
    const body = status === 200 ? this.#completion(call) : { error: { message: `the stub answers ${status}` } };
    call.answeredAt = Date.now();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #completion(call: StubCall): unknown {
    return {
      object: 'chat.completion',
      model: call.model,
      choices: [{ index: 0, message: { role: 'assistant', content: this.answer(call) }, finish_reason: 'stop' }],
      usage: this.usage(call),
    };
  }
}

interface ChatBody {
  model: string;
  seed: number;
  messages: { role: string; content: string }[];
}
