import { formatNanoUsd } from '@kiln/contracts';
import { type Judging, judgedSampleBound } from '@kiln/running';
import { v7 as uuid } from 'uuid';
import { type Queryable } from '../database.js';
import { USED_TRACES } from '../traces/used-traces.js';

/**
 * Adds the shard that scores what a shard of phase `generate` has stored: same range, in the run's queue for scoring. Call it in the
 * transaction that ends the shard, which is locked; a second call changes nothing.
 */
export async function openScoreShard(tx: Queryable, shardId: string): Promise<void> {
  const id = uuid();
  const [made] = await tx.query<{ judged: boolean }>(
    `INSERT INTO shards (id, project_id, job_id, run_id, phase, block, first_ordinal, count, queue, sample_cost_bound,
                         sample_token_bound, recorded, passed, score_sum)
     SELECT $2, s.project_id, s.job_id, s.run_id, 'score', s.block, s.first_ordinal, s.count, r.score_queue, 0, 0, o.recorded,
            o.passed, o.score_sum
       FROM shards s JOIN runs r ON r.id = s.run_id
       CROSS JOIN LATERAL (SELECT count(*)::int AS recorded, count(*) FILTER (WHERE kind = 'pass')::int AS passed,
                                  coalesce(sum(score), 0) AS score_sum
                             FROM outcomes o WHERE o.run_id = s.run_id AND o.ordinal >= s.first_ordinal
                                               AND o.ordinal < s.first_ordinal + s.count) o
      WHERE s.id = $1
     ON CONFLICT (run_id, phase, first_ordinal) DO NOTHING
     RETURNING (SELECT judging IS NOT NULL FROM runs r WHERE r.id = run_id) AS judged`,
    [shardId, id],
  );
  if (made?.judged) await boundShards(tx, 's.id = $1', id);
}

/** Bounds the shards of a new run whose samples are judged: a rescore. */
export function boundScoreShards(tx: Queryable, runId: string): Promise<void> {
  return boundShards(tx, `s.run_id = $1 AND s.phase = 'score'`, runId);
}

/** What judging one sample can cost at most follows from what there is to judge: the longest trace and example of the range. */
async function boundShards(tx: Queryable, which: string, id: string): Promise<void> {
  const shards = await tx.query<{ id: string; judging: Judging; traceBytes: number; exampleBytes: number }>(
    `SELECT s.id, r.judging,
            coalesce((SELECT max(coalesce(octet_length(t.raw), b.size))
                        FROM ${USED_TRACES} used
                        JOIN traces t ON t.id = used.trace_id LEFT JOIN blobs b ON b.digest = t.raw_blob
                       WHERE used.run_id = coalesce(r.source_run_id, r.id)
                         AND used.ordinal >= s.first_ordinal AND used.ordinal < s.first_ordinal + s.count), 0)::int AS "traceBytes",
            coalesce((SELECT max(octet_length(e.messages::text) + coalesce(octet_length(e.target), 0)
                                 + octet_length(e.aliases::text) + coalesce(octet_length(e.reference::text), 0))
                        FROM suite_version_examples v JOIN examples e ON e.id = v.example_id
                       WHERE v.version_id = j.suite_version_id AND v.ordinal >= s.first_ordinal
                         AND v.ordinal < s.first_ordinal + s.count), 0)::int AS "exampleBytes"
       FROM shards s JOIN runs r ON r.id = s.run_id JOIN jobs j ON j.id = s.job_id WHERE ${which}`,
    [id],
  );
  const bounds = shards.map(({ judging, traceBytes, exampleBytes }) => judgedSampleBound(judging, traceBytes, exampleBytes));
  await tx.query(
    `UPDATE shards s SET sample_cost_bound = b.cost, sample_token_bound = b.tokens
       FROM unnest($1::uuid[], $2::numeric[], $3::bigint[]) AS b (id, cost, tokens) WHERE s.id = b.id`,
    [shards.map((shard) => shard.id), bounds.map((bound) => formatNanoUsd(bound.costNano)), bounds.map((bound) => bound.tokens)],
  );
}
