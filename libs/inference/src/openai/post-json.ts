import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** There is no complete answer. `network`: no connection, or it broke; `timeout`; `too_large`: more bytes than allowed. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly reason: 'network' | 'timeout' | 'too_large';

  constructor(reason: HttpFailure['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export interface PostOptions {
  headers: Record<string, string>;
  body: string;
  /** From the first byte sent to the last received. */
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Posts JSON and reads the whole answer. Not `fetch`: that gives up silently after 300 s without an answer, and a reasoning
 * model behind a long queue takes longer. Follows no redirect, so that the key stays with the host it was meant for.
 */
export class JsonPoster {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  /** @throws HttpFailure; the signal's reason when aborted. */
  post(url: string, { headers, body, timeoutMs, maxBytes, signal }: PostOptions): Promise<HttpAnswer> {
    signal.throwIfAborted();
    const secure = url.startsWith('https:');
    const options: RequestOptions = {
      method: 'POST',
      agent: secure ? this.#https : this.#http,
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json', 'content-length': Buffer.byteLength(body) },
    };
    return new Promise((resolve, reject) => {
      const call = (secure ? httpsRequest : httpRequest)(url, options);
      const timer = setTimeout(() => call.destroy(new HttpFailure('timeout', `no complete answer within ${timeoutMs} ms`)), timeoutMs);
      const onAbort = () => call.destroy(signal.reason as Error);
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        end();
      };
      const fail = (error: Error) =>
        settle(() => reject(signal.aborted ? signal.reason : error instanceof HttpFailure ? error : networkFailure(error)));
      signal.addEventListener('abort', onAbort, { once: true });
      call.on('error', fail);
      call.on('response', (response) => {
        readBody(response, maxBytes).then(
          (text) => settle(() => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })),
          fail,
        );
      });
      call.end(body);
    });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new HttpFailure('too_large', `the answer is over ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function networkFailure(error: NodeJS.ErrnoException): HttpFailure {
  return new HttpFailure('network', `the connection failed: ${error.code ?? error.message}`, { cause: error });
}
