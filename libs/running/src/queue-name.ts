import { sha256Hex } from '@kiln/provenance';

/** The identity of endpoint targets in a queue's name: any worker of the pool can call any endpoint. */
export const ENDPOINT_IDENTITY = 'endpoint';
/** The identity of work that only reads traces: any worker can do it. */
export const SCORE_IDENTITY = 'score';
/** The identity of work that runs code: workers that have a sandbox can do it. */
export const SANDBOX_IDENTITY = 'sandbox';

/**
 * The queue for shards that run in `pool` on the model with this identity; workers subscribe to the queues that they can serve.
 * The identity is hashed: a queue name may not contain a colon, and the names must not collide however models are called.
 *
 * @param pool lowercase letters, digits and dashes: `cpu`, `cuda`, `judge`
 * @param identity any text
 */
export function queueName(pool: string, identity: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(pool)) throw new TypeError(`pool: expected lowercase letters, digits and dashes, got "${pool}"`);
  return `shards.${pool}.${sha256Hex(identity).slice(0, 24)}`;
}

/** The pool in a name that `queueName` made: the label for metrics, which must not grow with the models. */
export function poolOf(queue: string): string {
  return queue.split('.')[1] ?? 'unknown';
}
