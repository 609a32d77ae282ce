import { type OutcomeKind } from '@kiln/contracts';

/** A trace as it is written: bytes and where the answer and the reasoning lie in them. */
export interface TraceRow {
  /** Made once per sample, so that a repeated transaction writes the same row. */
  id: string;
  /** Other jobs may reuse it under this key; null when they may not. */
  reuseKey: Uint8Array | null;
  raw: Uint8Array;
  /** As `encodeTokenIds` writes them; null when they are not known. */
  tokenIds: Uint8Array | null;
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

/** A trace of another run that stands for this sample. */
export interface BorrowedTrace {
  id: string;
  runId: string;
}

/** One sample that was generated: with a trace, its own or a borrowed one, and its primary score, or with an error. */
export interface RecordedSample {
  ordinal: number;
  completionIndex: number;
  scorerId: number;
  /** Null when the trace is scored later; it has no outcome until then. */
  kind: OutcomeKind | null;
  /** In [0, 1]. */
  score: number;
  detail: unknown;
  error: { code: string; message: string } | null;
  trace: TraceRow | null;
  borrowed: BorrowedTrace | null;
}

/** A trace that was scored: a judge was asked or code was run, or a rescore read it. */
export interface ScoredTrace {
  ordinal: number;
  completionIndex: number;
  scorerId: number;
  /** Null for a sample of the source run that has none: it ended as an error there, and so it does here. */
  traceId: string | null;
  kind: OutcomeKind;
  /** In [0, 1]. */
  score: number;
  detail: unknown;
  rawValue: number | null;
  skipReason: string | null;
  judgeIdentity: string | null;
  /** The judge's usage, as the contract writes it. */
  usage: unknown;
  error: { code: string; message: string } | null;
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
