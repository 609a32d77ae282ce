import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** What the server does with the request of this index (0 = first). */
export type Behaviour = (response: ServerResponse, index: number, request: ReceivedRequest) => void;

/** A real HTTP server that behaves, or misbehaves, as told. */
export interface ChatServer {
  url: string;
  requests: ReceivedRequest[];
  close(): Promise<void>;
}

export async function startChatServer(behave: Behaviour): Promise<ChatServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      const received = { path: request.url ?? '', headers: request.headers, body };
      behave(response, requests.push(received) - 1, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A chat completion as OpenAI-compatible servers send it. */
export function completion(message: Record<string, unknown>, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
    ...rest,
  };
}
