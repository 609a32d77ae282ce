import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

/** Longer or stranger ids are replaced: they go into log lines and into a response header. */
const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id a proxy or client sent as `x-request-id`, or a new UUID. It is logged and sent back. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && ACCEPTABLE.test(sent) ? sent : randomUUID();
}
