import { createHash } from 'node:crypto';

/**
 * The queue for shards that run in `pool` on the model with this identity; workers subscribe to the queues that they can serve.
 * The identity is hashed: a queue name may not contain a colon, and the names must not collide however models are called.
 *
 * @param pool lowercase letters, digits and dashes: `cpu`, `cuda`, `judge`
 * @param identity any text
 */
export function queueName(pool: string, identity: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(pool)) throw new TypeError(`pool: expected lowercase letters, digits and dashes, got "${pool}"`);
  return `shards.${pool}.${createHash('sha256').update(identity, 'utf8').digest('hex').slice(0, 24)}`;
}

/** The pool in a name that `queueName` made: the label for metrics, which must not grow with the models. */
export function poolOf(queue: string): string {
  return queue.split('.')[1] ?? 'unknown';
}
