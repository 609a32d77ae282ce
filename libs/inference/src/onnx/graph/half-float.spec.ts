import { describe, expect, it } from 'vitest';
import { fromBfloat16s, fromHalf, fromHalves, toHalf, toHalves } from './half-float.js';

describe('half floats', () => {
  it('round-trip every bit pattern that is a number', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = fromHalf(bits);
      if (!Number.isNaN(value)) expect(toHalf(value)).toBe(bits);
    }
  });

  it.each([
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519, 0x7bff],
    [65520, 0x7c00],
    [1e9, 0x7c00],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [1.5 * 2 ** -25, 0x0001],
    [0.3333333333333333, 0x3555],
  ])('%d rounds to %i, ties to even', (value, bits) => {
    expect(toHalf(value)).toBe(bits);
  });

  it('are made of whole arrays, wherever those lie', () => {
    const values = Float32Array.of(9, 1, -2, 65520, NaN).subarray(1);
    expect([...toHalves(values)]).toEqual([...values].map(toHalf));
  });

  it('keeps NaN', () => {
    expect(fromHalf(toHalf(NaN))).toBeNaN();
  });
});

describe('fromHalves', () => {
  it('is fromHalf of every bit pattern', () => {
    const bits = Uint16Array.from({ length: 0x10000 }, (_, index) => index);
    expect(fromHalves(bits)).toEqual(Float32Array.from(bits, fromHalf));
  });
});

describe('fromBfloat16s', () => {
  it('takes the upper half of a float32', () => {
    expect([...fromBfloat16s(Uint16Array.of(0x3f80, 0xc000, 0x4049, 0x7f80))]).toEqual([1, -2, 3.140625, Infinity]);
  });
});
