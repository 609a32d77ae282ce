import { type PriceBasis, type Pricing } from '@kiln/contracts';

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

const NANO_DECIMALS = 9;
const NANO_PER_USD = 10n ** BigInt(NANO_DECIMALS);
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

/** Nano-dollars of a canonical decimal amount such as "0.25". @throws RangeError */
export function nanoUsd(usd: string): bigint {
  const parts = /^(\d+)(?:\.(\d{1,9}))?$/.exec(usd);
  if (parts === null) throw new RangeError(`not an amount of US dollars: ${usd}`);
  return BigInt(parts[1]!) * NANO_PER_USD + BigInt((parts[2] ?? '').padEnd(NANO_DECIMALS, '0'));
}

/** The canonical decimal amount of nano-dollars, without trailing zeros: 250000000 → "0.25". */
export function formatNanoUsd(nano: bigint): string {
  const fraction = String(nano % NANO_PER_USD)
    .padStart(NANO_DECIMALS, '0')
    .replace(/0+$/, '');
  return `${nano / NANO_PER_USD}${fraction === '' ? '' : `.${fraction}`}`;
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
