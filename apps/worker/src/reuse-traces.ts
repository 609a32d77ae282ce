import { type Lease, reserveTraces, type ReusableTrace, retryTransient } from '@kiln/database';
import { targetHash, traceReuseKey } from '@kiln/provenance';
import { type PlannedSample } from './shard-plan.js';
import { type ShardTools } from './shard-tools.js';

/** Which of a shard's samples need not be generated here; all by the id of their request. */
export interface Reuse {
  /** Keys under which the traces that are generated may be reused. */
  readonly keys: ReadonlyMap<string, Buffer>;
  readonly reusable: ReadonlyMap<string, ReusableTrace>;
  /** Another shard generates them just now. */
  readonly deferred: ReadonlySet<string>;
}

export const NO_REUSE: Reuse = { keys: new Map(), reusable: new Map(), deferred: new Set() };

/**
 * Finds stored traces that may stand for missing samples, and reserves the rest for this shard. An endpoint's answers are reused
 * only under a declared revision: nobody knows otherwise what answered.
 */
export async function findReusable(
  tools: ShardTools,
  lease: Lease,
  samples: readonly PlannedSample[],
  provenanceDigest: string,
): Promise<Reuse> {
  const { target, projectId } = lease;
  if (!lease.reuseTraces || (target.kind === 'endpoint' && target.revision === null)) return NO_REUSE;
  const hash = targetHash(target);
  const keys = new Map(
    samples.map(({ request, completionIndex }) => {
      const { messages, tools: catalogue, generation, seed } = request;
      const origin = { projectId, messages, tools: catalogue, targetHash: hash, provenanceDigest, generation, seed, completionIndex };
      return [request.id, traceReuseKey(origin)];
    }),
  );
  const { reusable, reserved } = await retryTransient(
    () => reserveTraces(tools.db, lease, [...keys.values()]),
    tools.retryMs,
    (error) => tools.metrics.databaseRetried(error),
  );
  const byKey = new Map(reusable.map((trace) => [trace.key, trace]));
  const found = new Map<string, ReusableTrace>();
  const deferred = new Set<string>();
  for (const [id, key] of keys) {
    const hex = key.toString('hex');
    const trace = byKey.get(hex);
    if (trace) found.set(id, trace);
    else if (!reserved.has(hex)) deferred.add(id);
  }
  tools.metrics.tracesLookedUp({ reused: found.size, deferred: deferred.size, generated: reserved.size });
  return { keys, reusable: found, deferred };
}
