import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyReply } from 'fastify';

/** A signal that aborts when the connection of the request closes: what waits for its sake can stop. */
export const RequestClosed = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
});
