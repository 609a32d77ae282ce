import { type CompletionRequest } from './completion-request.js';
import { type PromptMaker } from './prompt-maker.js';

/** Sizes of one run of the benchmark. */
export interface WorkloadSizes {
  /** Examples of the workload from end to end, each with `completions` answers. */
  examples: number;
  completions: number;
  /** Tokens of each prompt, and how many of them all examples share. */
  promptTokens: number;
  sharedTokens: number;
  /** Answers are from a sixth of this to this long, as uneven as real ones. */
  longestAnswer: number;
  /** Steps of decoding that are timed alone. */
  decodeSteps: number;
  /** Tokens of each answer where the platform is compared with the bare engine. */
  jobAnswer: number;
}

export const FULL_SIZES: WorkloadSizes = {
  examples: 12,
  completions: 4,
  promptTokens: 256,
  sharedTokens: 200,
  longestAnswer: 39,
  decodeSteps: 64,
  jobAnswer: 64,
};

export const QUICK_SIZES: WorkloadSizes = {
  examples: 3,
  completions: 2,
  promptTokens: 48,
  sharedTokens: 32,
  longestAnswer: 12,
  decodeSteps: 6,
  jobAnswer: 16,
};

/** An evaluation as it comes: examples that share their instructions, several completions each, of uneven lengths. */
export function evaluation(maker: PromptMaker, sizes: WorkloadSizes, seed: number): CompletionRequest[] {
  const { examples, completions, promptTokens, sharedTokens, longestAnswer } = sizes;
  const shortest = Math.max(1, Math.floor(longestAnswer / 6));
  return maker.prompts(examples, promptTokens, sharedTokens, seed).flatMap((prompt, example) =>
    Array.from({ length: completions }, (_, completion) => {
      const step = (example * completions + completion) * 29;
      return { prompt, maxTokens: shortest + (step % (longestAnswer - shortest + 1)) };
    }),
  );
}

/** `rows` prompts that differ at their ends only, so that little but decoding takes time. */
export function decoding(
  maker: PromptMaker,
  { promptTokens }: WorkloadSizes,
  rows: number,
  maxTokens: number,
  seed: number,
): CompletionRequest[] {
  const ownTokens = 10;
  return maker.prompts(rows, promptTokens, promptTokens - ownTokens, seed).map((prompt) => ({ prompt, maxTokens }));
}

/** All that is generated. */
export function answerTokens(requests: readonly CompletionRequest[]): number {
  return requests.reduce((sum, { maxTokens }) => sum + maxTokens, 0);
}
