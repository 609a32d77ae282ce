import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Scope } from '@kiln/contracts';
import { type FastifyRequest } from 'fastify';

/** Who sends a request: an API key of a project. */
export interface Caller {
  keyId: string;
  /** The actor of audit rows. */
  keyName: string;
  projectId: string;
  scopes: readonly Scope[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs on every route that needs a key; null on open routes. */
    caller: Caller | null;
  }
}

/** The caller of a route that needs a key. */
export const FromCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === null) throw new Error('this route has no scope in the catalogue, so it has no caller');
  return caller;
});
