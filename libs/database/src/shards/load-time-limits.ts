import { type Queryable } from '../database.js';
import { type Lease } from './lease.js';

/** A completion of the run that a replay repeats, whose reasoning was limited. */
export interface TimeLimit {
  ordinal: number;
  completionIndex: number;
  /** Tokens at which the limit in time ended its reasoning; null when it did not. */
  timeUpAt: number | null;
}

/**
 * Where limits in time ended reasoning in the run that a replay repeats, for the examples of its shard: a replay ends it there, for a
 * clock repeats nothing.
 */
export function loadTimeLimits(db: Queryable, lease: Lease & { replayOf: string }): Promise<TimeLimit[]> {
  return db.query<TimeLimit>(
    `SELECT o.ordinal, o.completion_index AS "completionIndex", (t.thinking->>'time_up_at')::int AS "timeUpAt"
       FROM outcomes o JOIN traces t ON t.id = o.trace_id
      WHERE o.run_id = $1 AND o.ordinal >= $2 AND o.ordinal < $2 + $3 AND (t.thinking->>'applied')::boolean`,
    [lease.replayOf, lease.firstOrdinal, lease.count],
  );
}
