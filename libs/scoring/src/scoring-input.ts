import { type Message, type Score } from '@kiln/contracts';

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
}

/** A compiled scorer: pure, synchronous, no I/O, never throws for any answer. */
export type CompiledScorer = (input: ScoringInput) => Score;
