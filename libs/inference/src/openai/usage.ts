import { type TokenBuckets } from '../price.js';

/**
 * Disjoint token buckets of a response's `usage`; null when it reports none. Conventions differ: OpenAI counts cached tokens
 * inside `prompt_tokens`, Anthropic's `cache_read_input_tokens` and `cache_creation_input_tokens` are additional to `input_tokens`.
 */
export function readUsage(usage: unknown): TokenBuckets | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const fields = usage as Record<string, unknown>;
  const openAi = count(fields['prompt_tokens']);
  if (openAi !== null) {
    const details = (fields['prompt_tokens_details'] ?? {}) as Record<string, unknown>;
    const cachedInput = Math.min(openAi, count(details['cached_tokens']) ?? count(fields['prompt_cache_hit_tokens']) ?? 0);
    const cacheWrite = Math.min(openAi - cachedInput, count(details['cache_creation_tokens']) ?? 0);
    return { input: openAi - cachedInput - cacheWrite, cachedInput, cacheWrite, output: count(fields['completion_tokens']) ?? 0 };
  }
  const anthropic = count(fields['input_tokens']);
  if (anthropic === null) return null;
  return {
    input: anthropic,
    cachedInput: count(fields['cache_read_input_tokens']) ?? 0,
    cacheWrite: count(fields['cache_creation_input_tokens']) ?? 0,
    output: count(fields['output_tokens']) ?? 0,
  };
}

function count(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}
