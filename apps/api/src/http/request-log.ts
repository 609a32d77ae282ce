import { type Metrics } from '@kiln/observability';
import { type FastifyInstance } from 'fastify';

/** Routes that probes and scrapers call every few seconds: counted, not logged. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/** Counts every answer by route template, and logs it: info, or warn when the server was at fault. */
export function registerRequestLog(instance: FastifyInstance, metrics: Metrics): void {
  instance.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  instance.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const status = reply.statusCode;
    metrics.httpRequests.inc({ method: request.method, route, status: String(status) });
    metrics.httpDuration.observe({ method: request.method, route }, reply.elapsedTime / 1000);
    if (!QUIET.has(route)) {
      const line = { method: request.method, route, status, ms: Math.round(reply.elapsedTime), key: request.caller?.keyName };
      request.log[status >= 500 ? 'warn' : 'info'](line, 'request');
    }
    done();
  });
}
