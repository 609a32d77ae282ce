import { formatNanoUsd, nanoUsd, type PriceBasis, type Pricing } from '@kiln/contracts';

/** Tokens of one call in disjoint buckets: each token is counted, and paid, once. */
export interface TokenBuckets {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export interface Price {
  /** US dollars as a canonical decimal string with at most nine decimals; null = unknown. */
  usd: string | null;
  basis: PriceBasis;
}

const TOKENS_PER_PRICE = 1_000_000n;
const MICROSECONDS_PER_SECOND = 1_000_000n;

/**
 * What one call cost. Exact integer arithmetic; a fraction of a nano-dollar is rounded up, so that a sum of calls never
 * shows less than was spent. `tokens` null = the call reported none, which leaves a per-token price unknown.
 * @param latencyMs time that a per-second price is charged for.
 */
export function priceOf(pricing: Pricing, tokens: TokenBuckets | null, latencyMs: number): Price {
  switch (pricing.kind) {
    case 'free':
      return { usd: '0', basis: 'free' };
    case 'unknown':
      return { usd: null, basis: 'unknown' };
    case 'per_second': {
      const microseconds = BigInt(Math.ceil(latencyMs * 1000));
      return { usd: formatNanoUsd(ceilDivide(nanoUsd(pricing.usd) * microseconds, MICROSECONDS_PER_SECOND)), basis: 'per_second' };
    }
    case 'per_token': {
      if (tokens === null) return { usd: null, basis: 'unknown' };
      const perMillion =
        BigInt(tokens.input) * nanoUsd(pricing.input) +
        BigInt(tokens.cachedInput) * nanoUsd(pricing.cached_input ?? pricing.input) +
        BigInt(tokens.cacheWrite) * nanoUsd(pricing.cache_write ?? pricing.input) +
        BigInt(tokens.output) * nanoUsd(pricing.output);
      return { usd: formatNanoUsd(ceilDivide(perMillion, TOKENS_PER_PRICE)), basis: 'per_token' };
    }
  }
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
