import { createServer, type ServerResponse } from 'node:http';
import { type Registry } from 'prom-client';

const READINESS_TIMEOUT_MS = 5_000;

/** Each answers null when all is well, else what is wrong. */
export interface Health {
  /**
   * Does this process itself still make progress? Never about its dependencies: a worker that is restarted because the database
   * is down comes back to the same database.
   */
  alive(): string | null;
  /** Can it serve now? May ask dependencies; five seconds are given. */
  ready(): Promise<string | null> | string | null;
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * A small HTTP server for a process that has no API: `/metrics`, `/healthz` (alive), `/readyz` (ready); 200 or 503.
 * Rejects when the port cannot be bound. Port 0 takes a free one.
 */
export function serveMetrics(listen: { port: number; host?: string }, registry: Registry, health: Health): Promise<MetricsServer> {
  const { port, host = '127.0.0.1' } = listen;
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, { error: 'only GET is served here' });
    answer(path, registry, health, response).catch((error: unknown) => {
      send(response, 500, { error: error instanceof Error ? error.message : String(error) });
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use; set another port for metrics' : `cannot be bound (${error.message})`;
      reject(new Error(`port ${port} on ${host} ${why}`, { cause: error }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function answer(path: string | undefined, registry: Registry, health: Health, response: ServerResponse): Promise<void> {
  switch (path) {
    case '/metrics':
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
      return;
    case '/healthz':
      return verdict(response, health.alive());
    case '/readyz':
      return verdict(response, await withinTime(health.ready()));
    default:
      send(response, 404, { error: 'served here: /metrics, /healthz, /readyz' });
  }
}

function verdict(response: ServerResponse, problem: string | null): void {
  if (problem === null) send(response, 200, { status: 'ok' });
  else send(response, 503, { status: 'unavailable', reason: problem });
}

async function withinTime(answering: Promise<string | null> | string | null): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${READINESS_TIMEOUT_MS} ms`), READINESS_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answering, late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
