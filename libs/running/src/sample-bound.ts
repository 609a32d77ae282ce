import { nanoUsd, type Pricing } from '@kiln/contracts';

export interface SampleBound {
  /** Worst-case price of one sample in nano-USD; 0 when it is free or its price is unknown. */
  costNano: bigint;
  /** Worst-case tokens of one sample, prompt and completion. */
  tokens: bigint;
}

/**
 * What one sample can cost at most: a claim reserves this per sample, so that spend never exceeds a cap while attempts stay
 * inside it.
 *
 * @param promptTokens upper bound of the prompt's tokens
 * @param maxTokens limit of the completion's tokens
 * @param deadlineSeconds limit of one sample's duration, for targets priced by the second
 */
export function sampleBound(pricing: Pricing, promptTokens: number, maxTokens: number, deadlineSeconds: number): SampleBound {
  const tokens = BigInt(promptTokens) + BigInt(maxTokens);
  switch (pricing.kind) {
    case 'free':
    case 'unknown':
      return { costNano: 0n, tokens };
    case 'per_second':
      return { costNano: (nanoUsd(pricing.usd) * BigInt(Math.ceil(deadlineSeconds * 1000)) + 999n) / 1000n, tokens };
    case 'per_token': {
      // A prompt token is billed once, at the dearest of the rates that it can fall under.
      const inputRates = [pricing.input, pricing.cached_input, pricing.cache_write];
      const input = inputRates.map((rate) => (rate == null ? 0n : nanoUsd(rate))).reduce((a, b) => (a > b ? a : b));
      const perMillion = BigInt(promptTokens) * input + BigInt(maxTokens) * nanoUsd(pricing.output);
      return { costNano: (perMillion + 999_999n) / 1_000_000n, tokens };
    }
  }
}
