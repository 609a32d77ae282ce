import { type Queryable } from '../database.js';
import { WORKER_SILENT_SECONDS } from './served-model.js';

/** The pool with the most live slots, or null while no worker lives: where shards go that any worker can run. */
export async function findServingPool(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ pool: string }>(
    `SELECT pool FROM workers WHERE NOT draining AND heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds'
      GROUP BY pool ORDER BY sum(slots) DESC, pool LIMIT 1`,
  );
  return row?.pool ?? null;
}
