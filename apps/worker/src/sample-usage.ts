import { type JudgeUsage, nanoUsd } from '@kiln/contracts';
import { type RecordedSample, type ScoredTrace } from '@kiln/database';

/** What one sample consumed in this attempt. */
export interface SampleUsage {
  promptTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  completionTokens: number;
  /** Nano-USD; null when it is not known. */
  costNano: bigint | null;
}

const NOTHING: SampleUsage = { promptTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, completionTokens: 0, costNano: 0n };
const UNKNOWN: SampleUsage = { ...NOTHING, costNano: null };

/**
 * Of a sample that was generated. A borrowed trace was paid for by the job that generated it. A request that failed may have been
 * billed: on a target with a price its cost is unknown, and not 0.
 */
export function generationUsage({ trace, borrowed }: RecordedSample, priceBasis: string): SampleUsage {
  if (trace !== null) return trace;
  return borrowed !== null || priceBasis === 'free' ? NOTHING : UNKNOWN;
}

/** Of a trace that was scored: what its judge says. */
export function scoringUsage({ usage }: ScoredTrace): SampleUsage {
  if (usage === null) return NOTHING;
  const judge = usage as JudgeUsage;
  return {
    promptTokens: judge.prompt_tokens,
    cachedTokens: judge.cached_tokens,
    cacheWriteTokens: judge.cache_write_tokens,
    completionTokens: judge.completion_tokens,
    costNano: judge.cost_usd === null ? null : nanoUsd(judge.cost_usd),
  };
}
