import { describe, expect, it } from 'vitest';
import { clusteredStandardError } from '../clustered-standard-error.js';
import { passAtK } from '../pass-at-k.js';

/** Numbers that other tools printed, as restated in published_scores.json. Every score is its own cluster there. */
describe('published standard errors', () => {
  it.each([
    ['lm-evaluation-harness, asdiv, Llama 3 8B', 46, 50, 0.92, 0.0387561713321444],
    ['lm-evaluation-harness, negotiationtom_desire, Qwen3 8B', 12, 20, 0.6, 0.11239029738980327],
    ['inspect_ai, popularity', 2, 3, 0.6666666666666666, 0.33333333333333337],
  ])('%s', (_, passes, n, accuracy, standardError) => {
    expect(passes / n).toBe(accuracy);
    const error = clusteredStandardError([
      { sum: 1, count: 1, times: passes },
      { sum: 0, count: 1, times: n - passes },
    ]);
    expect(error?.cr1).toBeCloseTo(standardError, 14);
  });

  it('human-eval’s example samples: its product form printed 0.4999999999999999', () => {
    expect(passAtK({ n: 6, passes: 3, k: 1 })).toBe(0.5);
  });
});
