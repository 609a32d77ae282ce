import { describe, expect, it } from 'vitest';
import { adjustLogits, type SeenTokens } from './adjust-logits.js';
import { philoxKey } from './philox.js';
import { sampleToken } from './sampler.js';

const LOGITS = Float32Array.of(2, -2, 4, 0, 1);
const SEEN: SeenTokens = { prompt: new Set([0, 1]), answer: new Map([[2, 3]]) };

describe('adjustLogits', () => {
  it('gives the same array where nothing is to be moved', () => {
    expect(adjustLogits(LOGITS, {}, SEEN)).toBe(LOGITS);
    expect(adjustLogits(LOGITS, { repetition_penalty: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: {} }, SEEN)).toBe(LOGITS);
  });

  it.each([
    // By hand. HF RepetitionPenaltyLogitsProcessor: score < 0 ? score * penalty : score / penalty, over prompt and answer.
    [{ repetition_penalty: 2 }, [1, -4, 2, 0, 1]],
    // OpenAI: mu[j] - c[j] * frequency - (c[j] > 0) * presence, over the answer.
    [{ presence_penalty: 0.5 }, [2, -2, 3.5, 0, 1]],
    [{ frequency_penalty: 0.5 }, [2, -2, 2.5, 0, 1]],
    [{ logit_bias: { '3': 7, '4': -100, '99': 5 } }, [2, -2, 4, 7, -99]],
    [{ repetition_penalty: 2, presence_penalty: 1, frequency_penalty: 1, logit_bias: { '2': 2 } }, [1, -4, -1, 0, 1]],
  ])('moves logits by %j', (settings, expected) => {
    expect([...adjustLogits(LOGITS, settings, SEEN)]).toEqual(expected);
    expect([...LOGITS]).toEqual([2, -2, 4, 0, 1]);
  });

  it('decides greedy tokens, too', () => {
    const greedy = { temperature: 0, top_k: 0, top_p: 1 };
    expect(sampleToken(LOGITS, greedy, philoxKey('1'), 0, SEEN)).toBe(2);
    expect(sampleToken(LOGITS, { ...greedy, frequency_penalty: 2 }, philoxKey('1'), 0, SEEN)).toBe(0);
    expect(sampleToken(LOGITS, { ...greedy, top_k: 1, logit_bias: { '3': 50 } }, philoxKey('1'), 0, SEEN)).toBe(3);
  });
});
