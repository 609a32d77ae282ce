import { describe, expect, it } from 'vitest';
import { mulberry32, mulberry32Bits } from './mulberry32.js';

describe('mulberry32', () => {
  it('gives the published sequence', () => {
    const next = mulberry32(1);
    expect([next(), next(), next()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
  });

  it('is the same stream as its words', () => {
    const words = mulberry32Bits(30);
    const numbers = mulberry32(30);
    for (let index = 0; index < 1000; index++) {
      const word = words();
      expect(Number.isInteger(word) && word >= 0 && word < 2 ** 32).toBe(true);
      expect(numbers()).toBe(word / 2 ** 32);
    }
  });
});
