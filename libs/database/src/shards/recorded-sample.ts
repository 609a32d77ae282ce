import { type OutcomeKind } from '@kiln/contracts';

/** A trace as it is written: bytes and where the answer and the reasoning lie in them. */
export interface TraceRow {
  /** Made once per sample, so that a repeated transaction writes the same row. */
  id: string;
  raw: Uint8Array;
  answerStart: number;
  answerEnd: number;
  reasoningStart: number | null;
  reasoningEnd: number | null;
  reasoningChars: number | null;
  unclosedThinking: boolean;
  thinking: unknown;
  steps: unknown;
  rounds: number;
  stopReason: string;
  promptTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  completionTokens: number;
  latencyMs: number;
  /** Nano-USD; null when the price is unknown. */
  costNano: bigint | null;
  priceBasis: string;
  provenanceId: number | null;
}

/** One sample that has ended: with a trace and its primary score, or with an error. */
export interface RecordedSample {
  ordinal: number;
  completionIndex: number;
  scorerId: number;
  kind: OutcomeKind;
  /** In [0, 1]. */
  score: number;
  detail: unknown;
  error: { code: string; message: string } | null;
  trace: TraceRow | null;
}

/** What an attempt consumed up to a write. */
export interface AttemptUsage {
  samples: number;
  promptTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  completionTokens: number;
  /** Nano-USD; null when a part of it has no known price. */
  costNano: bigint | null;
  priceBasis: string;
  durationMs: number;
}
