import { formatNanoUsd, type JudgeUsage, nanoUsd } from '@kiln/contracts';

/** What several calls to judges consumed together; null when there was none. A cost that is unknown makes the sum unknown. */
export function sumJudgeUsage(usages: readonly (JudgeUsage | null)[]): JudgeUsage | null {
  return usages.reduce<JudgeUsage | null>((sum, usage) => (sum === null || usage === null ? (sum ?? usage) : add(sum, usage)), null);
}

function add(a: JudgeUsage, b: JudgeUsage): JudgeUsage {
  return {
    calls: a.calls + b.calls,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : formatNanoUsd(nanoUsd(a.cost_usd) + nanoUsd(b.cost_usd)),
    // Of two bases the one that says less stands.
    price_basis: a.price_basis === b.price_basis ? a.price_basis : a.price_basis === 'free' ? b.price_basis : a.price_basis,
    duration_ms: a.duration_ms + b.duration_ms,
  };
}
