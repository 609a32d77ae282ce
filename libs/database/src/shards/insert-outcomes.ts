import { plainArray, quotedArray } from '../column-array.js';
import { type Queryable } from '../database.js';
import { type Lease } from './lease.js';
import { type RecordedSample } from './recorded-sample.js';
import { storableJson, storableText } from './storable-json.js';

/** Writes the primary scores of the samples whose trace was written. Scores are unique per (trace, scorer). */
export async function insertScores(
  tx: Queryable,
  lease: Lease,
  samples: readonly RecordedSample[],
  traceIds: ReadonlySet<string>,
): Promise<void> {
  const scored = samples.filter((sample) => sample.trace !== null && traceIds.has(sample.trace.id));
  if (scored.length === 0) return;
  await tx.query(
    `INSERT INTO scores (trace_id, scorer_id, project_id, kind, value, detail)
     SELECT trace_id, scorer_id, $1, kind, value, detail
       FROM unnest($2::uuid[], $3::int[], $4::outcome_kind[], $5::float8[], $6::jsonb[])
            AS s (trace_id, scorer_id, kind, value, detail)
     ON CONFLICT (trace_id, scorer_id) DO NOTHING`,
    [
      lease.projectId,
      plainArray(scored.map((sample) => sample.trace!.id)),
      plainArray(scored.map((sample) => sample.scorerId)),
      plainArray(scored.map((sample) => sample.kind)),
      plainArray(scored.map((sample) => sample.score)),
      quotedArray(scored.map((sample) => storableJson(sample.detail))),
    ],
  );
}

/** Writes raw outcomes and counts those that were new. */
export async function insertOutcomes(
  tx: Queryable,
  lease: Lease,
  samples: readonly RecordedSample[],
): Promise<{ recorded: number; passed: number; scoreSum: number }> {
  const [counted] = await tx.query<{ recorded: number; passed: number; scoreSum: number }>(
    `WITH fresh AS (
       INSERT INTO outcomes (run_id, ordinal, completion_index, project_id, trace_id, scorer_id, kind, score, error_code,
                             error_message, fence)
       SELECT $1, ordinal, completion_index, $2, trace_id, scorer_id, kind, score, error_code, error_message, $3
         FROM unnest($4::int[], $5::int[], $6::uuid[], $7::int[], $8::outcome_kind[], $9::float8[], $10::text[], $11::text[])
              AS o (ordinal, completion_index, trace_id, scorer_id, kind, score, error_code, error_message)
       ON CONFLICT (run_id, ordinal, completion_index) DO NOTHING
       RETURNING kind, score)
     SELECT count(*)::int AS recorded, count(*) FILTER (WHERE kind = 'pass')::int AS passed,
            coalesce(sum(score), 0)::float8 AS "scoreSum" FROM fresh`,
    [
      lease.runId,
      lease.projectId,
      lease.fence,
      plainArray(samples.map((sample) => sample.ordinal)),
      plainArray(samples.map((sample) => sample.completionIndex)),
      plainArray(samples.map((sample) => sample.trace?.id ?? null)),
      plainArray(samples.map((sample) => sample.scorerId)),
      plainArray(samples.map((sample) => sample.kind)),
      plainArray(samples.map((sample) => sample.score)),
      quotedArray(samples.map((sample) => sample.error && storableText(sample.error.code))),
      quotedArray(samples.map((sample) => sample.error && storableText(sample.error.message))),
    ],
  );
  return counted!;
}
