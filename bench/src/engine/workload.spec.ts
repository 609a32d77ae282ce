import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { PromptMaker } from './prompt-maker.js';
import { answerTokens, decoding, evaluation, FULL_SIZES } from './workload.js';

let maker: PromptMaker;
beforeAll(async () => {
  maker = await PromptMaker.of(fileURLToPath(new URL('../../../models/tiny-arith', import.meta.url)));
});

describe('evaluation', () => {
  it('is 12 × 4 prompts of 256 tokens that share exactly the first 200, with about 1,100 tokens of uneven answers', () => {
    const requests = evaluation(maker, FULL_SIZES, 1);
    const prompts = [...new Set(requests.map(({ prompt }) => prompt))];
    expect([requests.length, prompts.length]).toEqual([48, 12]);
    for (const { tokens } of prompts) {
      expect(tokens).toHaveLength(256);
      expect(tokens.slice(0, 200)).toEqual(prompts[0]!.tokens.slice(0, 200));
    }
    expect(new Set(prompts.map(({ tokens }) => String(tokens))).size).toBe(12);
    const lengths = requests.map(({ maxTokens }) => maxTokens);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([6, 39]);
    expect(answerTokens(requests)).toBeGreaterThan(1_050);
    expect(answerTokens(requests)).toBeLessThan(1_150);
  });

  it('has other shared tokens for another seed', () => {
    const [first, second] = [1, 2].map((seed) => evaluation(maker, FULL_SIZES, seed)[0]!.prompt.tokens.slice(3, 30));
    expect(first).not.toEqual(second);
  });
});

describe('decoding', () => {
  it('has one different prompt for each row', () => {
    const requests = decoding(maker, FULL_SIZES, 32, 65, 7);
    expect(new Set(requests.map(({ prompt }) => prompt.text)).size).toBe(32);
    expect(requests.every(({ prompt, maxTokens }) => prompt.tokens.length === 256 && maxTokens === 65)).toBe(true);
  });
});
