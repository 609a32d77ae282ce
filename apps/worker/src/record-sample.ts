import { type RecordedSample } from '@kiln/database';
import { type GeneratedTrace, type SampleError } from '@kiln/inference';
import { type RegisteredScorer } from './scorer-cache.js';
import { type PlannedSample } from './shard-plan.js';
import { traceRow } from './trace-row.js';

const MAX_MESSAGE = 2000;
/** Made once: making one takes longer than decoding an answer. */
const decoder = new TextDecoder();

/**
 * Scores a trace. A scorer that throws is our fault, not the model's: the sample ends as `error`, with its trace.
 *
 * @param traceId of the new trace
 */
export function scoredSample(
  sample: PlannedSample,
  scorer: RegisteredScorer,
  trace: GeneratedTrace,
  provenanceId: number | null,
  traceId: string,
): RecordedSample {
  const row = traceRow(traceId, trace, provenanceId);
  const { kind, score, detail, error } = judge(sample, scorer, trace);
  const { ordinal, completionIndex } = sample;
  // Named one by one, here and below: an object spread takes V8 longer than scoring.
  return { ordinal, completionIndex, scorerId: scorer.id, trace: row, kind, score, detail, error };
}

function judge(
  { expected: { target, aliases, reference }, request: { messages, tools } }: PlannedSample,
  scorer: RegisteredScorer,
  { text, rawBytes, reasoningText, unclosedThinking, toolCalls }: GeneratedTrace,
): Pick<RecordedSample, 'kind' | 'score' | 'detail' | 'error'> {
  try {
    const rawText = decoder.decode(rawBytes);
    const { kind, score, detail } = scorer.score({
      text,
      rawText,
      reasoningText,
      unclosedThinking,
      target,
      aliases,
      messages,
      tools,
      toolCalls,
      reference,
    });
    return { kind, score, detail, error: null };
  } catch (error) {
    const message = shortened(error instanceof Error ? error.message : String(error));
    return { kind: 'error', score: 0, detail: null, error: { code: 'scorer_failed', message } };
  }
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
  };
}

/** Messages may quote a model or a server at any length. */
function shortened(text: string): string {
  return text.slice(0, MAX_MESSAGE);
}
