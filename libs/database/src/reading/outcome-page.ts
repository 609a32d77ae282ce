import {
  type Generation,
  type GenerationStop,
  type JsonObject,
  type OutcomeKind,
  type PriceBasis,
  type ThinkingBudgetOutcome,
} from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { exampleLookup } from '../suites/example-lookup.js';
import { STORED_TRACE_COLUMNS, type StoredTrace } from '../outcomes/stored-trace.js';

/** A page ends early when its raw texts reach this size, so that its memory does not depend on what models write. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** A completion with its trace, and what of its example results repeat. */
export interface OutcomeRow {
  ordinal: number;
  completionIndex: number;
  exampleKey: string;
  kind: OutcomeKind;
  score: number;
  detail: unknown;
  errorCode: string | null;
  errorMessage: string | null;
  tags: string[];
  metadata: JsonObject | null;
  exampleGeneration: Generation | null;
  trace: TraceColumns | null;
}

/** What was generated. */
export interface TraceColumns extends StoredTrace {
  thinking: ThinkingBudgetOutcome;
  stopReason: GenerationStop;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  latencyMs: number;
  cost: string | null;
  priceBasis: PriceBasis;
}

export interface OutcomePage {
  runId: string;
  suiteVersionId: string;
  kinds: readonly OutcomeKind[] | null;
  after: { ordinal: number; completionIndex: number } | null;
  limit: number;
}

/**
 * A run's completions in suite order, at most `limit`, and less when their texts are large; at least one while there is one.
 * Fewer rows than `limit` therefore do not mean that the list ends: an empty page does.
 */
export async function readOutcomePage(db: Queryable, page: OutcomePage): Promise<OutcomeRow[]> {
  const rows = await db.query<Omit<OutcomeRow, 'trace'> & TraceColumns & { hasTrace: boolean }>(
    `SELECT o.ordinal, o.completion_index AS "completionIndex", e.example_key AS "exampleKey", o.kind::text, o.score,
            (SELECT s.detail FROM scores s WHERE s.trace_id = o.trace_id AND s.scorer_id = o.scorer_id) AS detail,
            o.error_code AS "errorCode", o.error_message AS "errorMessage", e.tags, e.metadata,
            e.generation AS "exampleGeneration", t.id IS NOT NULL AS "hasTrace", ${STORED_TRACE_COLUMNS},
            coalesce(t.thinking, '{"applied": false, "triggered": false}') AS thinking,
            t.stop_reason AS "stopReason", t.prompt_tokens AS "promptTokens", t.cached_tokens AS "cachedTokens",
            t.completion_tokens AS "completionTokens", t.latency_ms AS "latencyMs", t.cost::text, t.price_basis AS "priceBasis"
       FROM (SELECT p.*, sum(p.bytes) OVER (ORDER BY p.ordinal, p.completion_index) - p.bytes AS bytes_before
               FROM (SELECT o.*, coalesce(octet_length(t.raw), b.size, 0)::bigint AS bytes
                       FROM outcomes o LEFT JOIN traces t ON t.id = o.trace_id LEFT JOIN blobs b ON b.digest = t.raw_blob
                      WHERE o.run_id = $1 AND ($3::text[] IS NULL OR o.kind::text = ANY ($3))
                        AND ($4::int IS NULL OR (o.ordinal, o.completion_index) > ($4, $5::int))
                      ORDER BY o.ordinal, o.completion_index LIMIT $6) p) o
       ${exampleLookup('o', '$2')}
       LEFT JOIN traces t ON t.id = o.trace_id
       LEFT JOIN blobs b ON b.digest = t.raw_blob
      WHERE o.bytes_before < $7
      ORDER BY o.ordinal, o.completion_index`,
    [page.runId, page.suiteVersionId, page.kinds, page.after?.ordinal ?? null, page.after?.completionIndex ?? null, page.limit, PAGE_BYTES],
  );
  return rows.map((row) => ({ ...row, trace: row.hasTrace ? row : null }));
}
