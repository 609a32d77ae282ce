import { type Lease, type RecordedSample, type ReusableTrace } from '@kiln/database';
import { type GeneratedTrace, type SampleError } from '@kiln/inference';
import { type TraceTexts, traceTexts } from '@kiln/scoring';
import { type RegisteredScorer } from './scorer-cache.js';
import { type PlannedSample } from './shard-plan.js';
import { scoreInline } from './score-inline.js';
import { shortened } from './shortened.js';
import { traceRow } from './trace-row.js';

/** Made once: making one takes longer than decoding an answer. */
const decoder = new TextDecoder();

/** What scoring comes to when it follows in a shard of its own. */
const SCORED_LATER = { kind: null, score: 0, detail: null, error: null } as const;

/** A sample that was generated here, with its score unless that follows. */
export function generatedSample(
  sample: PlannedSample,
  scorer: RegisteredScorer,
  lease: Lease,
  trace: { generated: GeneratedTrace; provenanceId: number | null; id: string; reuseKey: Uint8Array | null },
): RecordedSample {
  const row = traceRow(trace.id, trace.generated, trace.provenanceId, trace.reuseKey);
  const { kind, score, detail, error } = lease.scoredLater
    ? SCORED_LATER
    : scoreInline(sample, scorer, () => generatedTexts(trace.generated));
  const { ordinal, completionIndex } = sample;
  // Named one by one, here and below: an object spread takes V8 longer than scoring.
  return { ordinal, completionIndex, scorerId: scorer.id, trace: row, borrowed: null, kind, score, detail, error };
}

/** A sample for which the trace of another run stands. */
export function borrowedSample(sample: PlannedSample, scorer: RegisteredScorer, trace: ReusableTrace, lease: Lease): RecordedSample {
  const { kind, score, detail, error } = lease.scoredLater ? SCORED_LATER : scoreInline(sample, scorer, () => traceTexts(trace));
  const { ordinal, completionIndex } = sample;
  const borrowed = { id: trace.id, runId: trace.runId };
  return { ordinal, completionIndex, scorerId: scorer.id, trace: null, borrowed, kind, score, detail, error };
}

/** A sample that was not measured. */
export function failedSample(sample: PlannedSample, scorerId: number, error: SampleError): RecordedSample {
  return {
    ordinal: sample.ordinal,
    completionIndex: sample.completionIndex,
    scorerId,
    kind: 'error',
    score: 0,
    detail: null,
    error: { code: error.code, message: shortened(error.message) },
    trace: null,
    borrowed: null,
  };
}

function generatedTexts({ text, rawBytes, reasoningText, unclosedThinking, toolCalls }: GeneratedTrace): TraceTexts {
  return { text, rawText: decoder.decode(rawBytes), reasoningText, unclosedThinking, toolCalls };
}
