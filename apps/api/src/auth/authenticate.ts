import { KilnError, type Scope } from '@kiln/contracts';
import { type FastifyInstance } from 'fastify';
import { operationOf } from '../http/operation.js';
import { type ApiKeyVerifier } from './api-key-verifier.js';
import { type Caller } from './caller.js';

const BEARER = /^Bearer +([^\s]{1,512})$/i;

/**
 * Checks the key and its scope on every route of the catalogue that has one. A Fastify hook and not a Nest guard: guards run
 * after the body was read, and a caller without a key must not make the server read 32 MiB.
 */
export function registerAuthentication(instance: FastifyInstance, verifier: ApiKeyVerifier): void {
  instance.decorateRequest('caller', null);
  instance.addHook('onRequest', async (request) => {
    const scope = operationOf(request)?.scope ?? null;
    if (scope !== null) request.caller = await authenticate(request.headers.authorization, scope, verifier);
  });
}

async function authenticate(header: string | undefined, scope: Scope, verifier: ApiKeyVerifier): Promise<Caller> {
  const token = BEARER.exec(header ?? '')?.[1];
  if (token === undefined) {
    throw new KilnError('unauthorized', header === undefined ? 'an API key is needed' : 'the Authorization header is not a bearer token', {
      hint: 'Send Authorization: Bearer <key>. `kiln up` keeps one in .kiln/credentials; `kiln keys create` makes one.',
    });
  }
  const caller = await verifier.verify(token);
  if (caller === null) {
    throw new KilnError('unauthorized', 'the API key is unknown, revoked or expired', {
      hint: 'Use another key, or make one with `kiln keys create`.',
    });
  }
  requireScope(caller, scope);
  return caller;
}

/** @throws KilnError `forbidden` when the caller's key lacks the scope */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  throw new KilnError('forbidden', `the key "${caller.keyName}" lacks the scope ${scope}`, {
    hint: `Use a key with the scope ${scope}; this one has ${caller.scopes.join(', ') || 'none'}.`,
  });
}
