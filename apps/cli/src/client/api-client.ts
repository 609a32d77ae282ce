import { type ErrorCode, ErrorBody, KilnError, type OperationId, ROUTES, parseWith } from '@kiln/contracts';
import { type z } from 'zod';
import { commandWords } from './command-words.js';
import { ServerUnreachableError } from './server-unreachable-error.js';

type Routes = typeof ROUTES;
type InputOf<S> = S extends z.ZodType ? z.input<S> : never;
type Answer<K extends OperationId> = Routes[K]['success']['payload']['schema'] extends infer S extends z.ZodType ? z.output<S> : string;

/** What one call sends. `body` is sent as JSON; `stream` as it is, in the media type that it names. */
export interface Call<K extends OperationId> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Routes[K]['body'] extends { schema: infer S } ? InputOf<S> : never;
  readonly stream?: { readonly mediaType: string; readonly content: AsyncIterable<Uint8Array> | Uint8Array };
  /** Give up after so many milliseconds without an answer. Default 30 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

/** An HTTP client whose calls and answers are typed, and checked, by the route catalogue. */
export class ApiClient {
  constructor(
    /** Base URL without a trailing slash. */
    readonly server: string,
    readonly apiKey: string | null,
  ) {}

  /**
   * Calls one route.
   * @returns the answer, parsed by the route's schema; its text where the route has none
   * @throws ServerUnreachableError when nobody answers
   * @throws KilnError with the server's code, message and hint when it refuses
   */
  async call<K extends OperationId>(operation: K, call: Call<K> = {}): Promise<Answer<K>> {
    const route = ROUTES[operation];
    const { status, ok, text } = await this.#send(route.method, pathOf(route.path, call.params ?? {}), call as Call<OperationId>);
    if (!ok) throw refusal(status, text, this.server);
    const { schema } = route.success.payload;
    if (schema === null) return text as Answer<K>;
    return parseWith(schema, parseJson(text), `answer of ${route.method} ${route.path}`, { code: 'internal_error' }) as Answer<K>;
  }

  /** The whole answer: one that breaks off in its body is no answer either. */
  async #send(method: string, path: string, call: Call<OperationId>): Promise<{ status: number; ok: boolean; text: string }> {
    const url = new URL(this.server + path);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      for (const single of Array.isArray(value) ? (value as string[]) : [value])
        if (single !== undefined) url.searchParams.append(name, String(single));
    }
    const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
    if (this.apiKey !== null) headers['authorization'] = `Bearer ${this.apiKey}`;
    const { stream } = call;
    if (stream) headers['content-type'] = stream.mediaType;
    else if (call.body !== undefined) headers['content-type'] = 'application/json';
    const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
    try {
      const response = await fetch(url, {
        method,
        headers,
        ...(stream ? { body: stream.content as NonNullable<RequestInit['body']>, duplex: 'half' } : {}),
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, ok: response.ok, text: await response.text() };
    } catch (error) {
      throw new ServerUnreachableError(this.server, reasonOf(error, timeoutMs), error);
    }
  }
}

function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
}

function refusal(status: number, text: string, server: string): KilnError {
  const parsed = ErrorBody.safeParse(parseJson(text));
  if (parsed.success) {
    const { code, message, hint } = parsed.data.error;
    return new KilnError(code, message, code === 'unauthorized' ? { hint: KEY_HINT } : hint === null ? {} : { hint: commandWords(hint) });
  }
  // A proxy in between, or something else that listens there.
  const code: ErrorCode = status === 404 ? 'not_found' : 'internal_error';
  return new KilnError(code, `${server} answered ${status} without a reason that kiln knows: ${text.slice(0, 200)}`, {
    hint: 'is it a kiln server?',
  });
}

const KEY_HINT = 'set KILN_API_KEY to a key of this server (kiln keys create makes one); a server of ./kiln up on this machine needs none';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: unknown };
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND') return 'unknown host';
  return cause instanceof Error ? cause.message : String(cause);
}
