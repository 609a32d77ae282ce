/** A prompt as users write it, and the tokens that the model is to see. */
export interface BenchPrompt {
  text: string;
  tokens: readonly number[];
}

/** One completion that is wanted: greedy, and exactly this long, because no model here ever ends by itself. */
export interface CompletionRequest {
  prompt: BenchPrompt;
  maxTokens: number;
}
