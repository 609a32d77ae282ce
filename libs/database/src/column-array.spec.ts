import { describe, expect, it } from 'vitest';
import { plainArray, quotedArray } from './column-array.js';

describe('plainArray', () => {
  it.each([
    ['numbers', [1, -2.5, 1e-7], '{1,-2.5,1e-7}'],
    ['money beyond doubles', [9_007_199_254_740_993n], '{9007199254740993}'],
    ['booleans and nulls between values', [true, null, false], '{true,NULL,false}'],
    ['labels', ['pass', 'fail'], '{pass,fail}'],
    ['nulls alone', [null, null], '{}'],
    ['nothing', [], '{}'],
  ])('writes %s', (_name, values, text) => {
    expect(plainArray(values)).toBe(text);
  });
});

describe('quotedArray', () => {
  it('keeps values and leaves out a column of nulls', () => {
    expect(quotedArray(['a,"b"', null])).toEqual(['a,"b"', null]);
    expect(quotedArray([null, null])).toEqual([]);
  });
});
