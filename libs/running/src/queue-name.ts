/**
 * Queues are per pool and model identity, so that a worker subscribes only to what it can serve. Names hold only characters
 * that every queue backend takes.
 *
 * @param pool workers of one kind: cpu, cuda, agent, judge
 * @param identity digest of the model ("sha256:…"), or null for endpoints, which any worker of the pool can call
 */
export function queueName(pool: string, identity: string | null): string {
  return identity === null ? `${pool}-endpoint` : `${pool}-${identity.replace(/^sha256:/, '').slice(0, 16)}`;
}
