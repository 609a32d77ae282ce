import { formatNanoUsd } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { type Queryable } from '../database.js';
import { type Lease } from './lease.js';
import { type RecordedSample, type TraceRow } from './recorded-sample.js';
import { storableJson } from './storable-json.js';

/** Raw text above this size goes to a blob, so that pages of traces stay small to read. */
const BLOB_BYTES = 64 * 1024;

/**
 * Writes traces as they were generated. A sample that has a trace already keeps it.
 *
 * @returns ids of the traces that were written
 */
export async function insertTraces(
  tx: Queryable,
  lease: Lease,
  samples: readonly RecordedSample[],
): Promise<ReadonlySet<string>> {
  const traced = samples.filter((sample): sample is RecordedSample & { trace: TraceRow } => sample.trace !== null);
  if (traced.length === 0) return new Set();
  const blobs = await storeBlobs(tx, traced.map((sample) => sample.trace));
  const column = <T>(pick: (trace: TraceRow) => T): T[] => traced.map((sample) => pick(sample.trace));
  const written = await tx.query<{ id: string }>(
    `INSERT INTO traces (id, project_id, run_id, ordinal, completion_index, raw, raw_blob, answer_start, answer_end,
                         reasoning_start, reasoning_end, reasoning_chars, unclosed_thinking, thinking, steps, rounds, stop_reason,
                         prompt_tokens, cached_tokens, cache_write_tokens, completion_tokens, latency_ms, cost, price_basis,
                         provenance_id)
     SELECT t.id, $1, $2, t.ordinal, t.completion_index, t.raw, t.raw_blob, t.answer_start, t.answer_end, t.reasoning_start,
            t.reasoning_end, t.reasoning_chars, t.unclosed_thinking, t.thinking, t.steps, t.rounds, t.stop_reason, t.prompt_tokens,
            t.cached_tokens, t.cache_write_tokens, t.completion_tokens, t.latency_ms, t.cost, t.price_basis, t.provenance_id
       FROM unnest($3::uuid[], $4::int[], $5::int[], $6::bytea[], $7::bytea[], $8::int[], $9::int[], $10::int[], $11::int[],
                   $12::bool[], $13::jsonb[], $14::jsonb[], $15::int[], $16::text[], $17::int[], $18::int[], $19::int[],
                   $20::int[], $21::float8[], $22::numeric[], $23::text[], $24::int[], $25::int[])
            AS t (id, ordinal, completion_index, raw, raw_blob, answer_start, answer_end, reasoning_start, reasoning_end,
                  unclosed_thinking, thinking, steps, rounds, stop_reason, prompt_tokens, cached_tokens,
                  cache_write_tokens, completion_tokens, latency_ms, cost, price_basis, provenance_id, reasoning_chars)
     ON CONFLICT (run_id, ordinal, completion_index) DO NOTHING RETURNING id`,
    [
      lease.projectId,
      lease.runId,
      column((t) => t.id),
      traced.map((sample) => sample.ordinal),
      traced.map((sample) => sample.completionIndex),
      column((t) => (blobs.has(t) ? null : Buffer.from(t.raw.buffer, t.raw.byteOffset, t.raw.byteLength))),
      column((t) => blobs.get(t) ?? null),
      column((t) => t.answerStart),
      column((t) => t.answerEnd),
      column((t) => t.reasoningStart),
      column((t) => t.reasoningEnd),
      column((t) => t.unclosedThinking),
      column((t) => storableJson(t.thinking)),
      column((t) => storableJson(t.steps)),
      column((t) => t.rounds),
      column((t) => t.stopReason),
      column((t) => t.promptTokens),
      column((t) => t.cachedTokens),
      column((t) => t.cacheWriteTokens),
      column((t) => t.completionTokens),
      column((t) => t.latencyMs),
      column((t) => (t.costNano === null ? null : formatNanoUsd(t.costNano))),
      column((t) => t.priceBasis),
      column((t) => t.provenanceId),
      column((t) => t.reasoningChars),
    ],
  );
  return new Set(written.map((row) => row.id));
}

async function storeBlobs(tx: Queryable, traces: readonly TraceRow[]): Promise<Map<TraceRow, Buffer>> {
  const digests = new Map<TraceRow, Buffer>();
  for (const trace of traces) {
    if (trace.raw.byteLength > BLOB_BYTES) digests.set(trace, createHash('sha256').update(trace.raw).digest());
  }
  // In one order everywhere: two writes with the same texts cannot wait for each other.
  for (const [trace, digest] of [...digests].toSorted(([, a], [, b]) => a.compare(b))) {
    await tx.query(`INSERT INTO blobs (digest, size, bytes) VALUES ($1, $2, $3) ON CONFLICT (digest) DO NOTHING`, [
      digest,
      trace.raw.byteLength,
      Buffer.from(trace.raw),
    ]);
  }
  return digests;
}
