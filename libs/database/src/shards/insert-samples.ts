import { formatNanoUsd } from '@kiln/contracts';
import { plainArray, quotedArray } from '../column-array.js';
import { type Queryable } from '../database.js';
import { insertBlobs } from './insert-blobs.js';
import { type Lease } from './lease.js';
import { type RecordedSample, type TraceRow } from './recorded-sample.js';
import { storableJson, storableText } from './storable-json.js';

/** Raw text above this size goes to a blob, so that pages of traces stay small to read. */
const BLOB_BYTES = 64 * 1024;

/** What of a write was new: samples that are recorded now, and what their outcomes sum to. */
export interface CountedSamples {
  recorded: number;
  passed: number;
  scoreSum: number;
}

/**
 * Writes the traces, primary scores and raw outcomes of a batch: one statement, because the worker has more to do than to wait for
 * three. A sample that has a trace or an outcome already keeps it; a score is written only with its trace, or with the loan of one.
 *
 * @returns the outcomes that were new
 */
export async function insertSamples(tx: Queryable, lease: Lease, samples: readonly RecordedSample[]): Promise<CountedSamples> {
  const blobs = await insertBlobs(
    tx,
    rawTexts(samples, (raw) => raw.byteLength > BLOB_BYTES),
  );
  const { joined, starts, lengths } = joinBytes(rawTexts(samples, (raw) => raw.byteLength <= BLOB_BYTES));
  const ids = joinBytes(samples.map(({ trace }) => trace?.tokenIds ?? null));
  const column = <T>(pick: (sample: RecordedSample) => T): T[] => samples.map(pick);
  const traced = <T>(pick: (trace: TraceRow) => T): (T | null)[] => samples.map(({ trace }) => (trace === null ? null : pick(trace)));
  const [counted] = await tx.query<CountedSamples>(
    `WITH s AS (
       SELECT * FROM unnest($5::int[], $6::int[], $7::int[], $8::outcome_kind[], $9::float8[], $10::jsonb[], $11::text[], $12::text[],
                            $13::uuid[], $14::int[], $15::int[], $16::bytea[], $17::int[], $18::int[], $19::int[], $20::int[],
                            $21::int[], $22::bool[], $23::jsonb[], $24::jsonb[], $25::int[], $26::text[], $27::int[], $28::int[],
                            $29::int[], $30::int[], $31::float8[], $32::numeric[], $33::text[], $34::int[], $35::bytea[], $36::uuid[],
                            $37::uuid[], $39::int[], $40::int[])
              AS s (ordinal, completion_index, scorer_id, kind, score, detail, error_code, error_message,
                    trace_id, raw_start, raw_length, raw_blob, answer_start, answer_end, reasoning_start, reasoning_end,
                    reasoning_chars, unclosed_thinking, thinking, steps, rounds, stop_reason, prompt_tokens, cached_tokens,
                    cache_write_tokens, completion_tokens, latency_ms, cost, price_basis, provenance_id, reuse_key,
                    borrowed_id, source_run_id, ids_start, ids_length)),
     written AS (
       INSERT INTO traces (id, project_id, run_id, ordinal, completion_index, raw, raw_blob, token_ids, answer_start, answer_end,
                           reasoning_start, reasoning_end, reasoning_chars, unclosed_thinking, thinking, steps, rounds, stop_reason,
                           prompt_tokens, cached_tokens, cache_write_tokens, completion_tokens, latency_ms, cost, price_basis,
                           provenance_id, reuse_key)
       SELECT trace_id, $1, $2, ordinal, completion_index, substring($4::bytea FROM raw_start FOR raw_length), raw_blob,
              substring($38::bytea FROM ids_start FOR ids_length), answer_start, answer_end, reasoning_start, reasoning_end,
              reasoning_chars, unclosed_thinking, thinking, steps, rounds, stop_reason, prompt_tokens, cached_tokens,
              cache_write_tokens, completion_tokens, latency_ms, cost, price_basis, provenance_id,
              -- A lease that has run out may still write, while the key is another's already: then only one of the two is found by it.
              CASE WHEN (SELECT 1 FROM traces t WHERE t.reuse_key = s.reuse_key) IS NULL THEN reuse_key END
         FROM s WHERE trace_id IS NOT NULL
       ON CONFLICT (run_id, ordinal, completion_index) DO NOTHING RETURNING id),
     lent AS (
       INSERT INTO trace_loans (run_id, ordinal, completion_index, trace_id, source_run_id)
       SELECT $2, ordinal, completion_index, borrowed_id, source_run_id FROM s WHERE borrowed_id IS NOT NULL
       ON CONFLICT (run_id, ordinal, completion_index) DO NOTHING RETURNING trace_id AS id),
     scored AS (
       INSERT INTO scores (trace_id, scorer_id, project_id, kind, value, detail)
       SELECT DISTINCT ON (ready.id, scorer_id) ready.id, scorer_id, $1, kind, score, detail
         FROM s JOIN (SELECT id FROM written UNION ALL SELECT id FROM lent) ready ON ready.id = coalesce(s.trace_id, s.borrowed_id)
        WHERE kind IS NOT NULL
       ON CONFLICT (trace_id, scorer_id) DO NOTHING),
     fresh AS (
       INSERT INTO outcomes (run_id, ordinal, completion_index, project_id, trace_id, scorer_id, kind, score, error_code,
                             error_message, fence)
       SELECT $2, ordinal, completion_index, $1, coalesce(trace_id, borrowed_id), scorer_id, kind, score, error_code, error_message,
              $3
         FROM s WHERE kind IS NOT NULL
       ON CONFLICT (run_id, ordinal, completion_index) DO NOTHING RETURNING kind, score)
     SELECT count(*)::int + (SELECT count(*)::int FROM s JOIN (SELECT id FROM written UNION ALL SELECT id FROM lent) ready
                                ON ready.id = coalesce(s.trace_id, s.borrowed_id) WHERE s.kind IS NULL) AS recorded, count(*) FILTER (WHERE kind = 'pass')::int AS passed,
            coalesce(sum(score), 0)::float8 AS "scoreSum" FROM fresh`,
    [
      lease.projectId,
      lease.runId,
      lease.fence,
      joined,
      plainArray(column((s) => s.ordinal)),
      plainArray(column((s) => s.completionIndex)),
      plainArray(column((s) => s.scorerId)),
      plainArray(column((s) => s.kind)),
      plainArray(column((s) => s.score)),
      quotedArray(column((s) => storableJson(s.detail))),
      quotedArray(column((s) => s.error && storableText(s.error.code))),
      quotedArray(column((s) => s.error && storableText(s.error.message))),
      plainArray(traced((t) => t.id)),
      plainArray(starts),
      plainArray(lengths),
      blobs.some((digest) => digest !== null) ? blobs : [],
      plainArray(traced((t) => t.answerStart)),
      plainArray(traced((t) => t.answerEnd)),
      plainArray(traced((t) => t.reasoningStart)),
      plainArray(traced((t) => t.reasoningEnd)),
      plainArray(traced((t) => t.reasoningChars)),
      plainArray(traced((t) => t.unclosedThinking)),
      quotedArray(traced((t) => storableJson(t.thinking))),
      quotedArray(traced((t) => storableJson(t.steps))),
      plainArray(traced((t) => t.rounds)),
      quotedArray(traced((t) => t.stopReason)),
      plainArray(traced((t) => t.promptTokens)),
      plainArray(traced((t) => t.cachedTokens)),
      plainArray(traced((t) => t.cacheWriteTokens)),
      plainArray(traced((t) => t.completionTokens)),
      plainArray(traced((t) => t.latencyMs)),
      plainArray(traced((t) => (t.costNano === null ? null : formatNanoUsd(t.costNano)))),
      quotedArray(traced((t) => t.priceBasis)),
      plainArray(traced((t) => t.provenanceId)),
      samples.some(({ trace }) => trace?.reuseKey) ? traced((t) => t.reuseKey) : [],
      plainArray(column((s) => s.borrowed && s.borrowed.id)),
      plainArray(column((s) => s.borrowed && s.borrowed.runId)),
      ids.joined,
      plainArray(ids.starts),
      plainArray(ids.lengths),
    ],
  );
  return counted!;
}

/** Each sample's raw text where it is wanted, else null. */
function rawTexts(samples: readonly RecordedSample[], wanted: (raw: Uint8Array) => boolean): (Uint8Array | null)[] {
  return samples.map(({ trace }) => (trace !== null && wanted(trace.raw) ? trace.raw : null));
}

/**
 * Byte values as one with the place of each in it, counted from 1 as SQL does: they then travel as they are, where an array of them
 * would be written and read as hexadecimal text. A missing one has no place.
 */
function joinBytes(values: readonly (Uint8Array | null)[]): { joined: Buffer; starts: (number | null)[]; lengths: (number | null)[] } {
  let next = 1;
  const starts = values.map((value) => {
    if (value === null) return null;
    next += value.byteLength;
    return next - value.byteLength;
  });
  return {
    joined: Buffer.concat(values.filter((value) => value !== null)),
    starts,
    lengths: values.map((value) => value && value.byteLength),
  };
}
