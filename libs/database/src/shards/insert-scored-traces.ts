import { plainArray, quotedArray } from '../column-array.js';
import { type Queryable } from '../database.js';
import { type CountedSamples } from './insert-samples.js';
import { type Lease } from './lease.js';
import { type ScoredTrace } from './recorded-sample.js';
import { storableJson, storableText } from './storable-json.js';

/**
 * Writes scores of stored traces and the outcomes that they make, in one statement. There is one score per trace and scorer: where
 * another run has scored the trace with the same scorer meanwhile, its score stands and makes the outcome. An `error` is no score:
 * it is the outcome alone, so that the next rescore tries again.
 *
 * @returns the outcomes that were new
 */
export async function insertScoredTraces(tx: Queryable, lease: Lease, samples: readonly ScoredTrace[]): Promise<CountedSamples> {
  const column = <T>(pick: (sample: ScoredTrace) => T): T[] => samples.map(pick);
  const [counted] = await tx.query<CountedSamples>(
    `WITH s AS (
       SELECT * FROM unnest($4::int[], $5::int[], $6::int[], $7::uuid[], $8::outcome_kind[], $9::float8[], $10::jsonb[], $11::float8[],
                            $12::text[], $13::text[], $14::jsonb[], $15::text[], $16::text[])
              AS s (ordinal, completion_index, scorer_id, trace_id, kind, score, detail, raw_value, skip_reason, judge_identity, usage,
                    error_code, error_message)),
     scored AS (
       INSERT INTO scores AS stored (trace_id, scorer_id, project_id, kind, value, raw_value, skip_reason, detail, judge_identity, usage)
       SELECT DISTINCT ON (trace_id, scorer_id) trace_id, scorer_id, $1, kind, score, raw_value, skip_reason, detail, judge_identity,
              usage
         FROM s WHERE trace_id IS NOT NULL AND error_code IS NULL ORDER BY trace_id, scorer_id
       ON CONFLICT (trace_id, scorer_id) DO UPDATE SET kind = stored.kind RETURNING trace_id, scorer_id, kind, value),
     fresh AS (
       INSERT INTO outcomes (run_id, ordinal, completion_index, project_id, trace_id, scorer_id, kind, score, error_code,
                             error_message, fence)
       SELECT $2, s.ordinal, s.completion_index, $1, s.trace_id, s.scorer_id, coalesce(scored.kind, s.kind),
              coalesce(scored.value, s.score), s.error_code, s.error_message, $3
         FROM s LEFT JOIN scored ON scored.trace_id = s.trace_id AND scored.scorer_id = s.scorer_id
       ON CONFLICT (run_id, ordinal, completion_index) DO NOTHING RETURNING kind, score)
     SELECT count(*)::int AS recorded, count(*) FILTER (WHERE kind = 'pass')::int AS passed,
            coalesce(sum(score), 0)::float8 AS "scoreSum" FROM fresh`,
    [
      lease.projectId,
      lease.runId,
      lease.fence,
      plainArray(column((s) => s.ordinal)),
      plainArray(column((s) => s.completionIndex)),
      plainArray(column((s) => s.scorerId)),
      plainArray(column((s) => s.traceId)),
      plainArray(column((s) => s.kind)),
      plainArray(column((s) => s.score)),
      quotedArray(column((s) => storableJson(s.detail))),
      plainArray(column((s) => s.rawValue)),
      quotedArray(column((s) => s.skipReason)),
      quotedArray(column((s) => s.judgeIdentity)),
      quotedArray(column((s) => storableJson(s.usage))),
      quotedArray(column((s) => s.error && storableText(s.error.code))),
      quotedArray(column((s) => s.error && storableText(s.error.message))),
    ],
  );
  return counted!;
}
