import { type Generation, type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { STORED_TRACE_COLUMNS, type StoredTrace } from './stored-trace.js';

/** A page ends early when its raw texts and token ids reach this size, so that its memory does not depend on what models write. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** A completion with what a replay compares: its tokens and bytes, and what made them. */
export interface ReplayRow {
  ordinal: number;
  completionIndex: number;
  exampleKey: string;
  exampleGeneration: Generation | null;
  scorerId: number;
  kind: OutcomeKind;
  errorCode: string | null;
  errorMessage: string | null;
  /** Null where nothing was generated. */
  trace: ReplayTrace | null;
}

export interface ReplayTrace extends StoredTrace {
  /** As `encodeTokenIds` writes them; null when they are not known. */
  tokenIds: Buffer | null;
  provenanceId: number | null;
  /** A limit of time ended its reasoning. */
  endedByTime: boolean;
  /** After so many tokens; null when none did, or when it is not known. */
  timeUpAt: number | null;
}

export interface ReplayPage {
  runId: string;
  suiteVersionId: string;
  after: { ordinal: number; completionIndex: number } | null;
  limit: number;
}

/** A run's completions in suite order, at most `limit`, fewer when their texts are large, none when there are no more. */
export async function readReplayPage(db: Queryable, page: ReplayPage): Promise<ReplayRow[]> {
  const rows = await db.query<Omit<ReplayRow, 'trace'> & ReplayTrace & { hasTrace: boolean }>(
    `SELECT o.ordinal, o.completion_index AS "completionIndex", v.example_key AS "exampleKey", e.generation AS "exampleGeneration",
            o.scorer_id AS "scorerId", o.kind::text, o.error_code AS "errorCode", o.error_message AS "errorMessage",
            t.id IS NOT NULL AS "hasTrace", ${STORED_TRACE_COLUMNS}, t.token_ids AS "tokenIds", t.provenance_id AS "provenanceId",
            coalesce(t.thinking->>'trigger' = 'time', false) AS "endedByTime",
            (t.thinking->>'time_up_at')::int AS "timeUpAt"
       FROM (SELECT p.*, sum(p.bytes) OVER (ORDER BY p.ordinal, p.completion_index) - p.bytes AS bytes_before
               FROM (SELECT o.*, (coalesce(octet_length(t.raw), b.size, 0) + coalesce(octet_length(t.token_ids), 0))::bigint AS bytes
                       FROM (SELECT * FROM outcomes WHERE run_id = $1 AND (ordinal, completion_index) > ($3::int, $4::int)
                              ORDER BY ordinal, completion_index LIMIT $5) o
                       LEFT JOIN traces t ON t.id = o.trace_id LEFT JOIN blobs b ON b.digest = t.raw_blob) p) o
       JOIN suite_version_examples v ON v.version_id = $2 AND v.ordinal = o.ordinal
       JOIN examples e ON e.id = v.example_id
       LEFT JOIN traces t ON t.id = o.trace_id
       LEFT JOIN blobs b ON b.digest = t.raw_blob
      WHERE o.bytes_before < $6
      ORDER BY o.ordinal, o.completion_index`,
    [page.runId, page.suiteVersionId, page.after?.ordinal ?? -1, page.after?.completionIndex ?? -1, page.limit, PAGE_BYTES],
  );
  return rows.map((row) => ({ ...row, trace: row.hasTrace ? row : null }));
}
