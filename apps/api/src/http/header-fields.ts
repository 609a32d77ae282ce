import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type OperationId, parseWith, type Route, ROUTES } from '@kiln/contracts';
import { type FastifyRequest } from 'fastify';

/** The request's headers as the catalogue describes them for an operation: `@HeaderFields('submitRun')`. */
export const HeaderFields = createParamDecorator((id: OperationId, context: ExecutionContext): unknown => {
  const { headers }: Route = ROUTES[id];
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return headers === null ? {} : parseWith(headers, request.headers, 'headers');
});
