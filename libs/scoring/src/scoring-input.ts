import { type JsonObject, type Message, type Score, type Tool } from '@kiln/contracts';

/** What a scorer may look at: one answer and the example it answers. */
export interface ScoringInput {
  /** The answer after reasoning was separated; this is what gets scored. */
  readonly text: string;
  /** The whole output as decoded, reasoning included. */
  readonly rawText: string;
  readonly reasoningText: string | null;
  /** The output ended inside `<think>`: there is no final answer. */
  readonly unclosedThinking: boolean;
  readonly target: string | null;
  /** Other right answers. */
  readonly aliases: readonly string[];
  /** The prompt as it was sent. */
  readonly messages: readonly Message[];
  /** The catalogue that the prompt offered; null when there was none. */
  readonly tools: readonly Tool[] | null;
  /** Calls that an endpoint returned in parsed form (OpenAI shape); null when the text is all there is. */
  readonly toolCalls: readonly unknown[] | null;
  /** Facts for scorers and judges that the target never saw. */
  readonly reference: JsonObject | null;
  /** Names for scripts that look something up; left out where an answer belongs to no example or run. */
  readonly ids?: { readonly caseId: string; readonly runId: string };
}

/** A compiled scorer: pure, synchronous, no I/O, never throws for any answer. */
export type CompiledScorer = (input: ScoringInput) => Score;
