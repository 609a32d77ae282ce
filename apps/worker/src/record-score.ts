import { type ExecutedScore } from '@kiln/contracts';
import { type ScoredTrace, type StoredScore } from '@kiln/database';
import { type InlineScore } from './score-inline.js';
import { shortened } from './shortened.js';
import { type UnscoredTrace } from './unscored-trace.js';

/** A trace that an inline scorer graded. */
export function inlineSample(trace: UnscoredTrace, { kind, score, detail, error }: InlineScore): ScoredTrace {
  return { ...place(trace), kind, score, detail, skipReason: skipReason(kind, detail), error };
}

/** A trace that was judged, or whose code was run. What kept it from being graded is an error of ours, and no score. */
export function executedSample(trace: UnscoredTrace, executed: ExecutedScore): ScoredTrace {
  const { kind, score, detail, raw_value: rawValue, usage } = executed;
  const error = kind === 'error' ? { code: reasonOf(detail) ?? 'scorer_failed', message: shortened(messageOf(detail)) } : null;
  return { ...place(trace), kind, score, detail, rawValue, skipReason: skipReason(kind, detail), usage, error };
}

/** A trace that the same scorer has scored before, for whichever run. */
export function storedSample(trace: UnscoredTrace, { kind, value }: StoredScore): ScoredTrace {
  return { ...place(trace), kind, score: value };
}

/** A sample that was not measured in the run whose traces are scored: so it is here. */
export function endedSample(trace: UnscoredTrace): ScoredTrace {
  const { kind, code, message } = trace.sample.ended!;
  return { ...place(trace), kind, error: code === null ? null : { code, message: message ?? '' } };
}

/** A trace that could not be scored. */
export function failedScore(trace: UnscoredTrace, code: string, message: string): ScoredTrace {
  return { ...place(trace), kind: 'error', error: { code, message } };
}

function place({ sample, scorer }: UnscoredTrace): ScoredTrace {
  const { ordinal, completionIndex, trace } = sample;
  return {
    ordinal,
    completionIndex,
    scorerId: scorer.id,
    traceId: trace?.id ?? null,
    kind: 'error',
    score: 0,
    detail: null,
    rawValue: null,
    skipReason: null,
    judgeIdentity: scorer.judgeIdentity,
    usage: null,
    error: null,
  };
}

function skipReason(kind: string, detail: unknown): string | null {
  return kind === 'skipped' ? (reasonOf(detail) ?? 'not_applicable') : null;
}

function reasonOf(detail: unknown): string | null {
  const reason = (detail as { reason?: unknown } | null)?.reason;
  return typeof reason === 'string' ? reason : null;
}

/** What a person reads of it: the sentence where there is one, else all that is known. */
function messageOf(detail: unknown): string {
  const { code, message } = (detail ?? {}) as { code?: unknown; message?: unknown };
  if (typeof message !== 'string') return JSON.stringify(detail);
  return typeof code === 'string' ? `${code}: ${message}` : message;
}
