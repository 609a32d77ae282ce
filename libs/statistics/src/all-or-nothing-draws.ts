import { mulberry32Bits } from './mulberry32.js';

/**
 * The draws of a sign-flip test whose differences all have the same size c, as when examples only pass or fail: a pattern's
 * sum is c·(2·up − m), so that each word of 32 signs is counted at once instead of looked up and added. Takes the same
 * words as the general draws, block by block, and so gives the same p in a third of the time.
 *
 * @param negatives how many of the m differences are below 0; they are the first of the sorted ones.
 * @returns how many draws have |2·up − m| ≥ threshold.
 */
export function allOrNothingDraws(draws: number, moved: number, negatives: number, threshold: number): number {
  const nextWord = mulberry32Bits(moved);
  const up = new Int32Array(draws);
  for (let start = 0; start < moved; start += 32) {
    const used = lowBits(moved - start);
    // A set bit keeps a difference's sign: it then points up where the difference is positive.
    const flipped = lowBits(negatives - start);
    for (let draw = 0; draw < draws; draw++) up[draw] = (up[draw] as number) + setBits((nextWord() ^ flipped) & used);
  }
  let extreme = 0;
  for (const count of up) if (Math.abs(2 * count - moved) >= threshold) extreme++;
  return extreme;
}

/** The lowest `count` bits of a word, none below 0 and all from 32 up. */
function lowBits(count: number): number {
  if (count <= 0) return 0;
  return count >= 32 ? -1 : 2 ** count - 1;
}

/** How many bits of a word are set. Source: H. S. Warren, Hacker's Delight, §5–1. */
function setBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
