import { type Generation, type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { exampleLookup } from '../suites/example-lookup.js';
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
    `SELECT o.ordinal, o.completion_index AS "completionIndex", e.example_key AS "exampleKey", e.generation AS "exampleGeneration",
            o.scorer_id AS "scorerId", o.kind::text, o.error_code AS "errorCode", o.error_message AS "errorMessage", o."hasTrace",
            o.raw, o."answerStart", o."answerEnd", o."reasoningStart", o."reasoningEnd", o."unclosedThinking", o.steps,
            o.token_ids AS "tokenIds", o.provenance_id AS "provenanceId", coalesce(o.thinking->>'trigger' = 'time', false) AS "endedByTime",
            (o.thinking->>'time_up_at')::int AS "timeUpAt"
       FROM (SELECT o.*, t.id IS NOT NULL AS "hasTrace", t.token_ids, t.provenance_id, t.thinking, ${STORED_TRACE_COLUMNS},
                    sum(coalesce(octet_length(t.raw), b.size, 0)::bigint + coalesce(octet_length(t.token_ids), 0))
                      OVER (ORDER BY o.ordinal, o.completion_index ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
               FROM (SELECT * FROM outcomes WHERE run_id = $1 AND (ordinal, completion_index) > ($3::int, $4::int)
                      ORDER BY ordinal, completion_index LIMIT $5) o
               LEFT JOIN traces t ON t.id = o.trace_id
               LEFT JOIN blobs b ON b.digest = t.raw_blob) o
      ${exampleLookup('o', '$2')}
      WHERE coalesce(o.bytes_before, 0) < $6
      ORDER BY o.ordinal, o.completion_index`,
    [page.runId, page.suiteVersionId, page.after?.ordinal ?? -1, page.after?.completionIndex ?? -1, page.limit, PAGE_BYTES],
  );
  return rows.map((row) => ({ ...row, trace: row.hasTrace ? row : null }));
}
