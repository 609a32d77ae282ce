import { type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** What the finalizer needs of an example. */
export interface PageExample {
  ordinal: number;
  key: string;
  tags: string[];
  metadata: Record<string, unknown> | null;
  weight: number;
  category: string | null;
  split: string | null;
  /** Examples of one cluster are not independent. */
  cluster: string | null;
}

/** One raw outcome with what metrics count of its trace (zeros when it has none). */
export interface PageOutcome {
  ordinal: number;
  completionIndex: number;
  kind: OutcomeKind;
  score: number;
  scorerKind: string;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  reasoningChars: number | null;
  unclosedThinking: boolean;
  /** Messages that the target wrote; 0 without a trace. */
  rounds: number;
  /** US dollars as a decimal string; null = unknown, or no trace. */
  cost: string | null;
  /** null without a trace, like `stopReason`. */
  latencyMs: number | null;
  stopReason: string | null;
  /** What a `tool_call` score says of the calls, pair by pair results aside; null for rows of other scorers, and unscored ones. */
  toolCallDetail: Record<string, unknown> | null;
}

/** The evaluated examples with first ≤ ordinal < first + count, in order. */
export function readPageExamples(
  db: Queryable,
  page: { jobId: string; suiteVersionId: string; first: number; count: number },
): Promise<PageExample[]> {
  return db.query<PageExample>(
    `SELECT v.ordinal, v.example_key AS key, e.tags, e.metadata, e.weight, e.category, e.split, e.cluster
       FROM suite_version_examples v JOIN examples e ON e.id = v.example_id
       JOIN jobs j ON j.id = $1
      WHERE v.version_id = $2 AND v.ordinal >= $3 AND v.ordinal < $3 + $4
        AND (j.selection IS NULL
             OR EXISTS (SELECT 1 FROM job_selection s WHERE s.job_id = j.id AND s.ordinal = v.ordinal))
      ORDER BY v.ordinal`,
    [page.jobId, page.suiteVersionId, page.first, page.count],
  );
}

/** A run's raw outcomes in the same range, in order of (ordinal, completion index). */
export function readPageOutcomes(db: Queryable, page: { runId: string; first: number; count: number }): Promise<PageOutcome[]> {
  return db.query<PageOutcome>(
    `SELECT o.ordinal, o.completion_index AS "completionIndex", o.kind::text, o.score, s.kind AS "scorerKind",
            coalesce(t.prompt_tokens, 0) AS "promptTokens", coalesce(t.cached_tokens, 0) AS "cachedTokens",
            coalesce(t.completion_tokens, 0) AS "completionTokens",
            t.reasoning_chars AS "reasoningChars",
            coalesce(t.unclosed_thinking, false) AS "unclosedThinking",
            coalesce(t.rounds, 0) AS rounds, t.cost::text, t.latency_ms AS "latencyMs", t.stop_reason AS "stopReason",
            CASE WHEN s.kind = 'tool_call' THEN
              (SELECT c.detail - 'calls' FROM scores c WHERE c.trace_id = o.trace_id AND c.scorer_id = o.scorer_id)
            END AS "toolCallDetail"
       FROM outcomes o JOIN scorers s ON s.id = o.scorer_id LEFT JOIN traces t ON t.id = o.trace_id
      WHERE o.run_id = $1 AND o.ordinal >= $2 AND o.ordinal < $2 + $3
      ORDER BY o.ordinal, o.completion_index`,
    [page.runId, page.first, page.count],
  );
}
