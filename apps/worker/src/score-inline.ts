import { type Example, type Message, type Score, type Tool } from '@kiln/contracts';
import { type ScoringInput, type TraceTexts } from '@kiln/scoring';
import { type RegisteredScorer } from './scorer-cache.js';
import { shortened } from './shortened.js';

/** What a scorer needs to know of a sample besides its trace. */
export interface ScoredSample {
  /** The right answers, and facts that the target never sees. */
  readonly expected: Pick<Example, 'target' | 'aliases' | 'reference'>;
  readonly request: { readonly messages: readonly Message[]; readonly tools: readonly Tool[] | null };
}

export type InlineScore = Score & { error: { code: string; message: string } | null };

/** Scores a trace at once. A scorer that throws is our fault, not the model's: the sample ends as `error`, with its trace. */
export function scoreInline(sample: ScoredSample, scorer: RegisteredScorer, texts: () => TraceTexts): InlineScore {
  try {
    const { kind, score, detail } = scorer.inline!(scoringInput(sample, texts()));
    return { kind, score, detail, error: null };
  } catch (error) {
    const message = shortened(error instanceof Error ? error.message : String(error));
    return { kind: 'error', score: 0, detail: null, error: { code: 'scorer_failed', message } };
  }
}

export function scoringInput({ expected, request }: ScoredSample, texts: TraceTexts): ScoringInput {
  const { text, rawText, reasoningText, unclosedThinking, toolCalls } = texts;
  const { target, aliases, reference } = expected;
  const { messages, tools } = request;
  return { text, rawText, reasoningText, unclosedThinking, toolCalls, target, aliases, reference, messages, tools };
}
