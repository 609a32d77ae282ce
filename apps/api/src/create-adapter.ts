import { FastifyAdapter } from '@nestjs/platform-fastify';
import { fastify, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ApiDependencies } from './api-dependencies.js';
import { type ApiKeyVerifier } from './auth/api-key-verifier.js';
import { registerAuthentication } from './auth/authenticate.js';
import { registerBodyParsers } from './http/body-parsers.js';
import { errorResponse } from './http/error-response.js';
import { requestId } from './http/request-id.js';
import { registerRequestLog } from './http/request-log.js';

/** A socket on which nothing moves for so long is closed: above the longest wait of a request, far above a heartbeat. */
const IDLE_SOCKET_MS = 120_000;

/** Fastify with everything that happens before a handler: request id, log, key, body. */
export function createAdapter(dependencies: ApiDependencies, verifier: ApiKeyVerifier): FastifyAdapter {
  const { logger, metrics } = dependencies;
  const limitBytes = dependencies.config().body_limit_bytes;
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: limitBytes,
    connectionTimeout: IDLE_SOCKET_MS,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    skipMiddie: true,
    // What the router refuses (a path with a broken %-escape) passes no hook and no filter.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const { status, body } = errorResponse(error, request.id);
      void reply.code(status).send(body);
    },
  });
  const instance = adapter.getInstance();
  registerRequestLog(instance, metrics);
  registerAuthentication(instance, verifier);
  registerBodyParsers(instance, limitBytes);
  return adapter;
}
