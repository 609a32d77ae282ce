import { v7 as uuid } from 'uuid';
import { type Queryable } from '../database.js';
import { type ShardPhase } from './lease.js';
import { recordedRows } from './recorded-rows.js';

export interface SplittableShard {
  id: string;
  runId: string;
  phase: ShardPhase;
  scoredLater: boolean;
  firstOrdinal: number;
  /** Examples. */
  count: number;
  /** Completions per example. */
  k: number;
  /** Samples, fewer than all of the shard's. */
  recorded: number;
}

/**
 * Cuts a locked shard after its first `count` examples: it keeps those, and the rest becomes a waiting shard with the same
 * history. Counters follow their samples. When the shard begins with complete examples, it is cut after these instead: they
 * end together, without a start each.
 *
 * @returns the part that the shard keeps
 */
export async function splitShard(tx: Queryable, shard: SplittableShard, count: number): Promise<{ count: number; recorded: number }> {
  const kept = (await leadingComplete(tx, shard)) || count;
  const middle = shard.firstOrdinal + kept;
  await tx.query(
    `INSERT INTO shards (id, project_id, job_id, run_id, phase, block, first_ordinal, count, queue, fence, starts, crashes,
                         sample_cost_bound, sample_token_bound)
     SELECT $2, project_id, job_id, run_id, phase, block, $3, $4, queue, fence, starts, crashes, sample_cost_bound,
            sample_token_bound FROM shards WHERE id = $1`,
    [shard.id, uuid(), middle, shard.count - kept],
  );
  await tx.query(`UPDATE shards SET count = $2 WHERE id = $1`, [shard.id, kept]);
  const rows = await tx.query<{ first: number; recorded: number }>(
    `UPDATE shards s SET recorded = n.recorded, passed = n.passed, score_sum = n.score_sum
       FROM (SELECT p.id, count(o.ordinal)::int AS recorded, count(*) FILTER (WHERE o.kind = 'pass')::int AS passed,
                    coalesce(sum(o.score), 0) AS score_sum
               FROM shards p LEFT JOIN ${recordedRows(shard)} o ON o.run_id = p.run_id AND o.ordinal >= p.first_ordinal
                                                 AND o.ordinal < p.first_ordinal + p.count
              WHERE p.run_id = $1 AND p.phase = $4::shard_phase AND p.first_ordinal IN ($2, $3) GROUP BY p.id) n
      WHERE s.id = n.id
      RETURNING s.first_ordinal AS first, s.recorded`,
    [shard.runId, shard.firstOrdinal, middle, shard.phase],
  );
  return { count: kept, recorded: rows.find((row) => row.first === shard.firstOrdinal)!.recorded };
}

/** How many examples at the shard's beginning have all their completions recorded. */
async function leadingComplete(tx: Queryable, shard: SplittableShard): Promise<number> {
  if (shard.recorded < shard.k) return 0;
  const [row] = await tx.query<{ complete: number }>(
    `SELECT min(i) - $2::int AS complete FROM generate_series($2::int, $2::int + $3::int - 1) AS i
      WHERE (SELECT count(*) FROM ${recordedRows(shard)} o WHERE o.run_id = $1 AND o.ordinal = i) < $4`,
    [shard.runId, shard.firstOrdinal, shard.count, shard.k],
  );
  return row!.complete;
}
