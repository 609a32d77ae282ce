/** A stored trace as far as its texts are concerned: bytes, and the ranges of its parts in them. */
export interface TraceBytes {
  readonly raw: Uint8Array;
  readonly answerStart: number;
  readonly answerEnd: number;
  readonly reasoningStart: number | null;
  readonly reasoningEnd: number | null;
  readonly unclosedThinking: boolean;
  /** What is no part of the bytes: reasoning that an endpoint sent apart, and its parsed tool calls. */
  readonly steps: readonly { readonly reasoning?: string | null; readonly tool_calls?: readonly unknown[] | null }[] | null;
}

/** The texts of a trace. Only bytes are stored: the forms that are scored and shown are derived from them here. */
export interface TraceTexts {
  /** The answer, which is what gets scored. */
  text: string;
  /** All that was decoded, reasoning included. */
  rawText: string;
  reasoningText: string | null;
  unclosedThinking: boolean;
  toolCalls: readonly unknown[] | null;
}

/** Made once: making one takes longer than decoding an answer. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a stored trace. Bytes that are not text become U+FFFD. */
export function traceTexts(trace: TraceBytes): TraceTexts {
  const { raw, answerStart, answerEnd, reasoningStart, reasoningEnd, steps } = trace;
  const rawText = decoder.decode(raw);
  const whole = answerStart === 0 && answerEnd === raw.byteLength;
  return {
    text: whole ? rawText : decoder.decode(raw.subarray(answerStart, answerEnd)),
    rawText,
    reasoningText:
      reasoningStart === null || reasoningEnd === null
        ? (steps?.[0]?.reasoning ?? null)
        : decoder.decode(raw.subarray(reasoningStart, reasoningEnd)),
    unclosedThinking: trace.unclosedThinking,
    toolCalls: steps?.find((step) => step.tool_calls !== undefined)?.tool_calls ?? null,
  };
}
