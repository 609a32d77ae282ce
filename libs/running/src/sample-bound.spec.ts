import { formatNanoUsd, nanoUsd, type Pricing } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleBound } from './sample-bound.js';

const TOKENS: Pricing = { kind: 'per_token', input: '3', output: '15' };

describe('sampleBound', () => {
  it.each<[string, Pricing, bigint]>([
    ['free', { kind: 'free' }, 0n],
    ['unknown', { kind: 'unknown' }, 0n],
    // 1000 × $3/M + 500 × $15/M = $0.0105
    ['per token', TOKENS, 10_500_000n],
    ['cached input is cheaper: the full rate counts', { ...TOKENS, cached_input: '0.3' }, 10_500_000n],
    // 1000 × $3.75/M + 500 × $15/M
    ['writing the cache is dearer: that rate counts', { ...TOKENS, cache_write: '3.75' }, 11_250_000n],
    ['a part of a nano-dollar is a whole one', { kind: 'per_token', input: '0.000000001', output: '0' }, 1n],
    ['per second, for the whole deadline', { kind: 'per_second', usd: '0.001' }, 30_000_000n],
  ])('%s', (_name, pricing, costNano) => {
    expect(sampleBound(pricing, 1000, 500, 30)).toEqual({ costNano, tokens: 1500n });
  });

  it('rounds a fraction of a second up', () => {
    expect(sampleBound({ kind: 'per_second', usd: '0.000000001' }, 1, 1, 0.0001).costNano).toBe(1n);
  });

  it('is never below what a sample inside its limits costs', () => {
    const rate = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(formatNanoUsd);
    const rates = fc.record({ input: rate, cached_input: rate, cache_write: rate, output: rate });
    const bucket = fc.nat(100_000);
    const usage = fc.record({ uncached: bucket, cached: bucket, written: bucket, completion: bucket });
    fc.assert(
      fc.property(rates, usage, bucket, (prices, used, unused) => {
        const prompt = used.uncached + used.cached + used.written;
        const actual =
          BigInt(used.uncached) * nanoUsd(prices.input) +
          BigInt(used.cached) * nanoUsd(prices.cached_input) +
          BigInt(used.written) * nanoUsd(prices.cache_write) +
          BigInt(used.completion) * nanoUsd(prices.output);
        const bound = sampleBound({ kind: 'per_token', ...prices }, prompt + unused, used.completion + unused, 1);
        expect(bound.costNano * 1_000_000n).toBeGreaterThanOrEqual(actual);
        expect(bound.tokens).toBeGreaterThanOrEqual(BigInt(prompt + used.completion));
      }),
    );
  });
});
