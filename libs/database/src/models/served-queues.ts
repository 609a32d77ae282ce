import { type Queryable } from '../database.js';
import { WORKER_SILENT_SECONDS } from './served-model.js';

/** Which of these queues live workers serve, those with the most slots first. */
export async function servedQueues(db: Queryable, queues: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ queue: string }>(
    `SELECT q.queue FROM workers w CROSS JOIN LATERAL unnest(w.queues) AS q (queue)
      WHERE NOT w.draining AND w.heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds' AND q.queue = ANY ($1)
      GROUP BY q.queue ORDER BY sum(w.slots) DESC, q.queue`,
    [queues],
  );
  return rows.map((row) => row.queue);
}

/** Pools of the workers that are alive. */
export async function livePools(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ pool: string }>(
    `SELECT DISTINCT pool FROM workers WHERE NOT draining AND heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds'
      ORDER BY pool`,
  );
  return rows.map((row) => row.pool);
}
