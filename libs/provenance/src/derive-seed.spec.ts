import { describe, expect, it } from 'vitest';
import { deriveSeed } from './derive-seed.js';
import { seedFromBytes } from './seed-from-bytes.js';

const MAX = 2n ** 64n - 1n;

describe('deriveSeed', () => {
  it.each([
    [42n, 'example-7', 3, 1961911680962343893n],
    [42n, 'example-7', 0, 14348408530472787834n],
    [0n, 'add', 0, 5599785147358970129n],
    [MAX, 'añb', 1, 13689969014190318026n],
  ])('(%s, %s, %i) is %s', (base, id, index, seed) => {
    expect(deriveSeed(base, id, index)).toBe(seed);
  });

  it('refuses what it cannot encode', () => {
    expect(() => deriveSeed(-1n, 'a', 0)).toThrow(RangeError);
    expect(() => deriveSeed(MAX + 1n, 'a', 0)).toThrow(RangeError);
    expect(() => deriveSeed(0n, 'a', -1)).toThrow(RangeError);
    expect(() => deriveSeed(0n, 'a', 0.5)).toThrow(RangeError);
    expect(() => deriveSeed(0n, 'a\ud800', 0)).toThrow(TypeError);
  });
});

describe('seedFromBytes', () => {
  it('reads little-endian and needs eight bytes', () => {
    expect(seedFromBytes(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0))).toBe(1n);
    expect(seedFromBytes(new Uint8Array(8).fill(255))).toBe(MAX);
    expect(seedFromBytes(Uint8Array.of(9, 9, 1, 0, 0, 0, 0, 0, 0, 2).subarray(2))).toBe(1n + (2n << 56n));
    expect(() => seedFromBytes(new Uint8Array(7))).toThrow(RangeError);
  });
});
