import {
  type Database,
  dispatchShards,
  type DispatchedShard,
  dispatchView,
  type QueueDemand,
  queueSlots,
  undispatchShards,
} from '@kiln/database';
import { type Queueing } from '@kiln/queue';
import { allocateDispatch } from '@kiln/running';

/** Shards kept dispatched per live slot: one to work on while the next is on its way. */
const WINDOW = 2;

/**
 * Keeps the queues short and fair: fills each queue's window from the backlog in Postgres, choosing across jobs by weighted fair
 * share with ageing.
 *
 * @param aliveMs a worker that was silent for longer counts for nothing
 * @returns shards dispatched
 */
export async function dispatch(db: Database, queueing: Queueing, aliveMs: number): Promise<number> {
  const windows = (await queueSlots(db, aliveMs)).map(({ queue, slots, dispatched }) => ({
    queue,
    free: Math.max(0, slots * WINDOW - dispatched),
  }));
  const most = Math.max(0, ...windows.map((window) => window.free));
  if (most === 0) return 0;
  const demand = await dispatchView(db, most);
  let total = 0;
  for (const { queue, free } of windows) total += await fill(db, queueing, queue, free, demand);
  return total;
}

async function fill(db: Database, queueing: Queueing, queue: string, free: number, demand: readonly QueueDemand[]): Promise<number> {
  const jobs = demand.filter((entry) => entry.queue === queue).map((entry) => ({ ...entry, weight: 1 }));
  const shards: DispatchedShard[] = [];
  for (const [jobId, count] of allocateDispatch(jobs, free)) {
    shards.push(...(await dispatchShards(db, jobId, queue, count)));
  }
  if (shards.length === 0) return 0;
  try {
    await queueing.publish(queue, shards);
  } catch (error) {
    // Some may have arrived: their claims find nothing to take, because the dispatch number moves on.
    await undispatchShards(db, shards);
    throw error;
  }
  return shards.length;
}
