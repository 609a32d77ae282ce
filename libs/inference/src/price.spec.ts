import { readFileSync } from 'node:fs';
import { type Pricing, Usd } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { priceOf, type TokenBuckets } from './price.js';

type Numbers = Record<string, number>;
interface CostCase {
  name: string;
  usage: Numbers | Numbers[];
  price_per_million_usd: Numbers | null;
  expected_usd: number | null;
}

const { cases } = JSON.parse(readFileSync(new URL('vectors/cost.json', import.meta.url), 'utf8')) as { cases: CostCase[] };

/** The vectors name buckets as OpenAI or Anthropic do. */
function buckets(usage: Numbers): TokenBuckets {
  const cached = usage['cached'] ?? usage['cache_read_input_tokens'] ?? 0;
  return {
    input: usage['input'] ?? usage['input_tokens'] ?? 0,
    cachedInput: cached,
    cacheWrite: usage['cache_creation_input_tokens'] ?? 0,
    output: usage['output'] ?? usage['output_tokens'] ?? 0,
  };
}

function pricing(price: Numbers | null): Pricing {
  if (price === null) return { kind: 'unknown' };
  const usd = (value: number) => Usd.parse(value);
  return {
    kind: 'per_token',
    input: usd(price['input']!),
    output: usd(price['output']!),
    ...(price['cache_read'] === undefined ? {} : { cached_input: usd(price['cache_read']) }),
    ...(price['cache_write'] === undefined ? {} : { cache_write: usd(price['cache_write']) }),
  };
}

describe('priceOf', () => {
  it.each(cases.filter(({ usage }) => !Array.isArray(usage)))('$name', ({ usage, price_per_million_usd, expected_usd }) => {
    const { usd } = priceOf(pricing(price_per_million_usd), buckets(usage as Numbers), 0);
    expect(usd).toBe(expected_usd === null ? null : Usd.parse(expected_usd));
  });

  it('charges seconds, rounded up to a nano-dollar', () => {
    expect(priceOf({ kind: 'per_second', usd: '0.002' }, null, 1500)).toEqual({ usd: '0.003', basis: 'per_second' });
    expect(priceOf({ kind: 'per_second', usd: '0.000000001' }, null, 1)).toEqual({ usd: '0.000000001', basis: 'per_second' });
  });

  it('never rounds a price down', () => {
    const perMillion: Pricing = { kind: 'per_token', input: '0.0375', output: '0' };
    expect(priceOf(perMillion, { input: 1, cachedInput: 0, cacheWrite: 0, output: 0 }, 0).usd).toBe('0.000000038');
  });

  it('takes buckets without a price of their own for input', () => {
    const plain: Pricing = { kind: 'per_token', input: '1', output: '2' };
    expect(priceOf(plain, { input: 1, cachedInput: 2, cacheWrite: 3, output: 4 }, 0).usd).toBe('0.000014');
  });

  it('does not know what unreported tokens cost, and knows what is free', () => {
    expect(priceOf({ kind: 'per_token', input: '1', output: '1' }, null, 5)).toEqual({ usd: null, basis: 'unknown' });
    expect(priceOf({ kind: 'free' }, null, 5)).toEqual({ usd: '0', basis: 'free' });
  });
});
