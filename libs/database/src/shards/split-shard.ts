import { v7 as uuid } from 'uuid';
import { type Queryable } from '../database.js';

/**
 * Cuts a locked shard after its first `count` examples: it keeps those, and the rest becomes a waiting shard with the same
 * history. Counters follow their samples.
 *
 * @returns samples recorded in the part that the shard keeps
 */
export async function splitShard(
  tx: Queryable,
  shard: { id: string; runId: string; firstOrdinal: number; count: number },
  count: number,
): Promise<number> {
  const middle = shard.firstOrdinal + count;
  await tx.query(
    `INSERT INTO shards (id, project_id, job_id, run_id, phase, block, first_ordinal, count, queue, starts, crashes)
     SELECT $2, project_id, job_id, run_id, phase, block, $3, $4, queue, starts, crashes FROM shards WHERE id = $1`,
    [shard.id, uuid(), middle, shard.count - count],
  );
  await tx.query(`UPDATE shards SET count = $2 WHERE id = $1`, [shard.id, count]);
  const rows = await tx.query<{ first: number; recorded: number }>(
    `UPDATE shards s SET recorded = n.recorded, passed = n.passed, score_sum = n.score_sum
       FROM (SELECT p.id, count(o.ordinal)::int AS recorded, count(*) FILTER (WHERE o.kind = 'pass')::int AS passed,
                    coalesce(sum(o.score), 0) AS score_sum
               FROM shards p LEFT JOIN outcomes o ON o.run_id = p.run_id AND o.ordinal >= p.first_ordinal
                                                 AND o.ordinal < p.first_ordinal + p.count
              WHERE p.run_id = $1 AND p.phase = 'generate' AND p.first_ordinal IN ($2, $3) GROUP BY p.id) n
      WHERE s.id = n.id
      RETURNING s.first_ordinal AS first, s.recorded`,
    [shard.runId, shard.firstOrdinal, middle],
  );
  return rows.find((row) => row.first === shard.firstOrdinal)!.recorded;
}
