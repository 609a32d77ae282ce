import { formatNanoUsd } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { plainArray, quotedArray } from '../column-array.js';
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
export async function insertTraces(tx: Queryable, lease: Lease, samples: readonly RecordedSample[]): Promise<ReadonlySet<string>> {
  const traced = samples.filter((sample): sample is RecordedSample & { trace: TraceRow } => sample.trace !== null);
  if (traced.length === 0) return new Set();
  const blobs = await storeBlobs(
    tx,
    traced.map((sample) => sample.trace),
  );
  const column = <T>(pick: (trace: TraceRow) => T): T[] => traced.map((sample) => pick(sample.trace));
  const { joined, starts, lengths } = joinBytes(column((t) => (blobs.has(t) ? null : t.raw)));
  const written = await tx.query<{ id: string }>(
    `INSERT INTO traces (id, project_id, run_id, ordinal, completion_index, raw, raw_blob, answer_start, answer_end,
                         reasoning_start, reasoning_end, reasoning_chars, unclosed_thinking, thinking, steps, rounds, stop_reason,
                         prompt_tokens, cached_tokens, cache_write_tokens, completion_tokens, latency_ms, cost, price_basis,
                         provenance_id)
     SELECT t.id, $1, $2, t.ordinal, t.completion_index, substring($6::bytea FROM t.raw_start FOR t.raw_length), t.raw_blob,
            t.answer_start, t.answer_end, t.reasoning_start, t.reasoning_end, t.reasoning_chars, t.unclosed_thinking, t.thinking,
            t.steps, t.rounds, t.stop_reason, t.prompt_tokens, t.cached_tokens, t.cache_write_tokens, t.completion_tokens,
            t.latency_ms, t.cost, t.price_basis, t.provenance_id
       FROM unnest($3::uuid[], $4::int[], $5::int[], $7::int[], $8::int[], $9::bytea[], $10::int[], $11::int[], $12::int[],
                   $13::int[], $14::int[], $15::bool[], $16::jsonb[], $17::jsonb[], $18::int[], $19::text[], $20::int[],
                   $21::int[], $22::int[], $23::int[], $24::float8[], $25::numeric[], $26::text[], $27::int[])
            AS t (id, ordinal, completion_index, raw_start, raw_length, raw_blob, answer_start, answer_end, reasoning_start,
                  reasoning_end, reasoning_chars, unclosed_thinking, thinking, steps, rounds, stop_reason, prompt_tokens,
                  cached_tokens, cache_write_tokens, completion_tokens, latency_ms, cost, price_basis, provenance_id)
     ON CONFLICT (run_id, ordinal, completion_index) DO NOTHING RETURNING id`,
    [
      lease.projectId,
      lease.runId,
      plainArray(column((t) => t.id)),
      plainArray(traced.map((sample) => sample.ordinal)),
      plainArray(traced.map((sample) => sample.completionIndex)),
      joined,
      plainArray(starts),
      plainArray(lengths),
      blobs.size === 0 ? [] : column((t) => blobs.get(t) ?? null),
      plainArray(column((t) => t.answerStart)),
      plainArray(column((t) => t.answerEnd)),
      plainArray(column((t) => t.reasoningStart)),
      plainArray(column((t) => t.reasoningEnd)),
      plainArray(column((t) => t.reasoningChars)),
      plainArray(column((t) => t.unclosedThinking)),
      quotedArray(column((t) => storableJson(t.thinking))),
      quotedArray(column((t) => storableJson(t.steps))),
      plainArray(column((t) => t.rounds)),
      column((t) => t.stopReason),
      plainArray(column((t) => t.promptTokens)),
      plainArray(column((t) => t.cachedTokens)),
      plainArray(column((t) => t.cacheWriteTokens)),
      plainArray(column((t) => t.completionTokens)),
      plainArray(column((t) => t.latencyMs)),
      plainArray(column((t) => (t.costNano === null ? null : formatNanoUsd(t.costNano)))),
      column((t) => t.priceBasis),
      plainArray(column((t) => t.provenanceId)),
    ],
  );
  return new Set(written.map((row) => row.id));
}

/**
 * Texts as one value with the place of each in it, counted from 1 as SQL does: bytes then travel as they are, where an array of
 * them would be written and read as hexadecimal text. A missing text has no place.
 */
function joinBytes(texts: readonly (Uint8Array | null)[]): { joined: Buffer; starts: (number | null)[]; lengths: (number | null)[] } {
  let next = 1;
  const starts = texts.map((text) => {
    if (text === null) return null;
    next += text.byteLength;
    return next - text.byteLength;
  });
  return {
    joined: Buffer.concat(texts.filter((text) => text !== null)),
    starts,
    lengths: texts.map((text) => text && text.byteLength),
  };
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
