import { describe, expect, it } from 'vitest';
import { leastRows, mostRows, stepRows, stepSizes } from './step-sizes.js';

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

describe('leastRows', () => {
  it.each([
    ['what the rules say', 1, { minRows: 2, maxRows: 24 }, 2, 2],
    ['what is wanted', 3, { minRows: 2, maxRows: 24 }, 3, 3],
    ['no more than a step may have', 2, { minRows: 1, maxRows: 1 }, 1, 1],
    ['one of the sizes where there are such', 1, { minRows: 12, maxRows: 24 }, 12, 16],
  ])('are %s', (_, wanted, rules, any, sized) => {
    expect(leastRows(wanted, { ...rules, stepSizes: null })).toBe(any);
    expect(leastRows(wanted, { ...rules, stepSizes: stepSizes(24) })).toBe(sized);
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
