import { type Database, type Lease, loadTimeLimits } from '@kiln/database';

/** Later than any token: reasoning that the clock did not end in the run that is repeated is not ended by it in the replay. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Tokens at which a replay ends the reasoning of its samples, by "ordinal:completion index", where a limit was in force; empty for
 * other jobs.
 */
export async function replayedTimeLimits(db: Database, lease: Lease): Promise<ReadonlyMap<string, number>> {
  const { replayOf } = lease;
  if (replayOf === null) return new Map();
  const limits = await loadTimeLimits(db, { ...lease, replayOf });
  return new Map(limits.map(({ ordinal, completionIndex, timeUpAt }) => [`${ordinal}:${completionIndex}`, timeUpAt ?? NEVER]));
}
