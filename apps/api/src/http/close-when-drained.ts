import { type FastifyInstance } from 'fastify';
import { type Draining } from './draining.js';

/**
 * Closes connections as they become idle while the process stops. Closing the server closes those that are idle at that moment
 * only; one whose answer ends a moment later would be kept alive, and the stop would wait for it.
 */
export function closeWhenDrained(instance: FastifyInstance, draining: Draining): void {
  instance.addHook('onResponse', (_request, _reply, done) => {
    if (draining.isDraining) setImmediate(() => instance.server.closeIdleConnections());
    done();
  });
}
