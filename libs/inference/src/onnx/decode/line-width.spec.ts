import { describe, expect, it } from 'vitest';
import { sharedWidth, slotWidth } from './line-width.js';

describe('slotWidth', () => {
  it.each([
    [1, null, 64],
    [64, null, 64],
    [65, null, 128],
    [300, 512, 512],
    [300, 400, 400],
    [1, 40, 40],
  ])('of %i tokens in a context of %j is %i', (tokens, context, width) => {
    expect(slotWidth(tokens, context)).toBe(width);
  });
});

describe('sharedWidth', () => {
  /** Memory for 1024 columns. */
  const slotsAt = (width: number) => Math.floor(1024 / width);

  it.each([
    ['the widest that leaves room for all', [64, 256, 128], 4, 256],
    ['no giant that would take the rows of others', [64, 64, 64, 64, 1024], 4, 64],
    ['what the oldest needs, whatever it takes', [1024, 64, 64], 4, 1024],
    ['the widest of few', [64, 512], 4, 512],
  ])('is %s', (_, widths, most, expected) => {
    expect(sharedWidth(widths, most, slotsAt)).toBe(expected);
  });
});
