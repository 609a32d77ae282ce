import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkEnd, longestChunk, reusableTokens } from './prompt-chunks.js';

function ends(total: number, chunkTokens: number, from = 0): number[] {
  const list: number[] = [];
  for (let end = from; end < total;) list.push((end = chunkEnd(end, total, chunkTokens)));
  return list;
}

describe('chunkEnd', () => {
  it.each([
    [1, 8, [1]],
    [7, 8, [7]],
    [8, 8, [8]],
    [9, 8, [7, 9]],
    [10, 8, [8, 10]],
    [17, 8, [8, 15, 17]],
    [3, 2, [3]],
    [9, Infinity, [9]],
  ])('cuts %i tokens in chunks of %i at %j', (total, chunkTokens, expected) => {
    expect(ends(total, chunkTokens)).toEqual(expected);
  });

  it('never reads one token alone, wherever it begins', () => {
    const cases = fc.record({ total: fc.integer({ min: 2, max: 200 }), chunk: fc.integer({ min: 2, max: 40 }), skipped: fc.nat(198) });
    fc.assert(
      fc.property(cases, ({ total, chunk, skipped }) => {
        const from = Math.min(skipped, total - 2);
        let start = from;
        for (const end of ends(total, chunk, from)) {
          expect(end - start).toBeGreaterThanOrEqual(2);
          expect(end - start).toBeLessThanOrEqual(longestChunk(chunk));
          start = end;
        }
        expect(start).toBe(total);
      }),
    );
  });
});

describe('reusableTokens', () => {
  const donor = (total: number, read = total, stateAt: number | null = null) => ({ total, read, stateAt });
  const anywhere = { reuse: 'anywhere', chunkTokens: 8 } as const;
  const chunks = { reuse: 'chunks', chunkTokens: 8 } as const;

  it.each([
    ['all of the same prompt, when its logits are known', 20, donor(20), 20, anywhere, true, 20],
    ['all but two, when they are not', 20, donor(20), 20, anywhere, false, 18],
    ['what is common', 9, donor(30), 20, anywhere, false, 9],
    ['nothing that leaves a single token', 19, donor(30), 20, anywhere, false, 18],
    ['nothing of a prompt of two', 2, donor(30), 2, anywhere, false, 0],
    ['whole chunks', 15, donor(30), 20, chunks, false, 8],
    ['a chunk that ends where the donor ends', 16, donor(16), 20, chunks, false, 16],
    ['no chunk whose end was moved in the donor', 16, donor(17), 20, chunks, false, 8],
    ['no chunk whose end is moved in the prompt', 16, donor(30), 17, chunks, false, 8],
    [
      'nothing of another prompt where prompts are read whole',
      16,
      donor(30),
      20,
      { reuse: 'whole', chunkTokens: Infinity } as const,
      false,
      0,
    ],
    ['the same prompt where prompts are read whole', 20, donor(20), 20, { reuse: 'whole', chunkTokens: Infinity } as const, true, 20],
    ['a state exactly where it was kept', 16, donor(16, 16, 16), 20, chunks, false, 16],
    ['no state from before or behind', 16, donor(20, 20, 20), 24, chunks, false, 0],
    ['no state that is not kept yet', 16, donor(20, 16, 0), 20, chunks, true, 0],
    ['the state of the same prompt', 20, donor(20, 20, 20), 20, chunks, true, 20],
    ['nothing of the same prompt while it is being read', 8, donor(20, 8), 20, chunks, true, 8],
  ] as const)('gives %s', (_, common, from, total, rules, hasLogits, expected) => {
    expect(reusableTokens(common, from, total, rules, hasLogits)).toBe(expected);
  });

  it('begins only where both prompts have the same chunks before', () => {
    const cases = fc.record({ common: fc.nat(100), a: fc.nat(100), b: fc.nat(100), chunk: fc.integer({ min: 2, max: 20 }) });
    fc.assert(
      fc.property(cases, ({ common, a, b, chunk }) => {
        const [donorTotal, total] = [Math.max(a, common, 1), Math.max(b, common, 1)];
        const reused = reusableTokens(common, donor(donorTotal), total, { reuse: 'chunks', chunkTokens: chunk }, false);
        const before = (length: number) => ends(length, chunk).filter((end) => end <= reused);
        expect(before(donorTotal)).toEqual(before(total));
        if (reused > 0) expect(before(total).at(-1)).toBe(reused);
      }),
    );
  });
});
