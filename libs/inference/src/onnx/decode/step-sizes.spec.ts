import { describe, expect, it } from 'vitest';
import { mostRows, stepRows, stepSizes } from './step-sizes.js';

describe('stepSizes', () => {
  it.each([
    [1, [1]],
    [3, [1, 2, 3]],
    [24, [1, 2, 3, 4, 8, 16, 24]],
    [32, [1, 2, 3, 4, 8, 16, 32]],
  ])('up to %i rows: %j', (most, sizes) => {
    expect(stepSizes(most)).toEqual(sizes);
  });
});

describe('stepRows', () => {
  const sizes = stepSizes(24);
  it.each([
    [1, 1, 1],
    [5, 1, 8],
    [1, 3, 3],
    [8, 2, 8],
    [17, 1, 24],
    [24, 24, 24],
  ])('%i rows, at least %i: %i', (live, least, rows) => {
    expect(stepRows(live, least, sizes)).toBe(rows);
  });

  it('are as many as there are where any number will do', () => {
    expect(stepRows(5, 2, null)).toBe(5);
    expect(stepRows(1, 2, null)).toBe(2);
  });
});

describe('mostRows', () => {
  it.each([
    [40, 24],
    [23, 16],
    [7, 4],
    [1, 1],
    [0, 0],
  ])('on %i slots: %i', (slots, rows) => {
    expect(mostRows(slots, { maxRows: 24, stepSizes: stepSizes(24) })).toBe(rows);
  });

  it('are those of the rules, and of the slots', () => {
    expect(mostRows(7, { maxRows: 24, stepSizes: null })).toBe(7);
    expect(mostRows(40, { maxRows: 24, stepSizes: null })).toBe(24);
    // Rules that a probe made tighter.
    expect(mostRows(40, { maxRows: 1, stepSizes: stepSizes(24) })).toBe(1);
  });
});
