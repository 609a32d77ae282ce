/** A trace as it is stored, as far as its texts are concerned: bytes, and the ranges of its parts in them. */
export interface StoredTrace {
  raw: Buffer;
  answerStart: number;
  answerEnd: number;
  reasoningStart: number | null;
  reasoningEnd: number | null;
  unclosedThinking: boolean;
  steps: { reasoning?: string | null; tool_calls?: unknown[] | null }[] | null;
}

/** The columns of a `StoredTrace` of the aliases `t` (traces) and `b` (blobs). */
export const STORED_TRACE_COLUMNS = `coalesce(t.raw, b.bytes) AS raw, t.answer_start AS "answerStart", t.answer_end AS "answerEnd",
  t.reasoning_start AS "reasoningStart", t.reasoning_end AS "reasoningEnd", t.unclosed_thinking AS "unclosedThinking", t.steps`;
