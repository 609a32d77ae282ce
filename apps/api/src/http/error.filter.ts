import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { allRoutes, KilnError } from '@kiln/contracts';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { errorResponse } from './error-response.js';

/** Turns whatever a handler, a hook or a parser threw into the one error shape, and logs what is not the caller's fault. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): FastifyReply {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const response = errorResponse(unroutable(thrown, request) ?? thrown, request.id);
    if (response.unexpected) request.log.error({ err: thrown, route: request.routeOptions.url }, 'request failed');
    if (reply.raw.headersSent) {
      // Too late for an answer: cutting the connection tells the client that what it has is not whole.
      reply.raw.destroy();
      return reply;
    }
    return reply.status(response.status).headers(response.headers).type('application/json').send(response.body);
  }
}

/** Says which methods a path knows, when it is only the method that is wrong. */
function unroutable(thrown: unknown, request: FastifyRequest): KilnError | undefined {
  if (!(thrown instanceof HttpException) || thrown.getStatus() !== 404 || !request.is404) return undefined;
  const path = request.url.split('?')[0] ?? '/';
  const methods = allRoutes().flatMap((route) => (pathPattern(route.path).test(path) ? [route.method] : []));
  if (methods.length === 0) {
    return new KilnError('not_found', `nothing is served at ${path}`, { hint: 'GET /v1/openapi.json lists every route; /docs shows it.' });
  }
  return new KilnError('method_not_allowed', `${path} does not take ${request.method}`, { hint: `Use ${methods.join(' or ')}.` });
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
