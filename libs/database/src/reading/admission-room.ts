import { type Queryable } from '../database.js';
import { UNFINISHED_STATES } from '../jobs/unfinished-states.js';

/** Unfinished jobs of the fleet: what the limits on admission count. */
export interface UnfinishedJobs {
  /** None of whose samples has started. */
  queued: number;
  all: number;
}

/**
 * Counts unfinished jobs and keeps other admissions out until the transaction ends: two that count at once could both take
 * the last place. Admitting is short, because shards are ranges; whatever is long must come before this call.
 */
export async function lockAdmissions(tx: Queryable): Promise<UnfinishedJobs> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('kiln.admission'))`);
  const [row] = await tx.query<UnfinishedJobs>(
    `SELECT count(*) FILTER (WHERE state = 'queued')::int AS queued, count(*)::int AS "all"
       FROM jobs WHERE state IN ${UNFINISHED_STATES}`,
  );
  return row ?? { queued: 0, all: 0 };
}
