import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { philox4x32, philoxKey, uniform53 } from './philox.js';

const MASK = 0xffff_ffffn;

/** The definition in BigInt, as slow as it is plain. */
function reference(counter: number[], low: number, high: number): number[] {
  let [c0, c1, c2, c3] = counter.map(BigInt) as [bigint, bigint, bigint, bigint];
  let k0 = BigInt(low);
  let k1 = BigInt(high);
  for (let round = 0; round < 10; round++) {
    const p0 = 0xd2511f53n * c0;
    const p1 = 0xcd9e8d57n * c2;
    [c0, c1, c2, c3] = [(p1 >> 32n) ^ c1 ^ k0, p1 & MASK, (p0 >> 32n) ^ c3 ^ k1, p0 & MASK];
    k0 = (k0 + 0x9e3779b9n) & MASK;
    k1 = (k1 + 0xbb67ae85n) & MASK;
  }
  return [c0, c1, c2, c3].map(Number);
}

function draw(counter: number[], low: number, high: number): number[] {
  const out = new Uint32Array(4);
  philox4x32(counter, { low, high }, out);
  return [...out];
}

describe('philox4x32', () => {
  // kat_vectors of the Random123 distribution, lines "philox4x32 10".
  it.each([
    [[0, 0, 0, 0], 0, 0, [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]],
    [[0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff], 0xffffffff, 0xffffffff, [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]],
    [[0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], 0xa4093822, 0x299f31d0, [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]],
  ])('known answer %#', (counter, low, high, expected) => {
    expect(draw(counter, low, high)).toEqual(expected);
  });

  it('equals the BigInt definition', () => {
    const word = fc.integer({ min: 0, max: 0xffffffff });
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), word, word, (counter, low, high) => {
        expect(draw(counter, low, high)).toEqual(reference(counter, low, high));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('philoxKey', () => {
  it('splits a 64-bit seed, least significant word first', () => {
    expect(philoxKey('1961911680962343893')).toEqual({
      low: Number(1961911680962343893n & MASK),
      high: Number(1961911680962343893n >> 32n),
    });
    expect(philoxKey('18446744073709551615')).toEqual({ low: 0xffffffff, high: 0xffffffff });
  });

  it.each(['', '-1', '1.5', '18446744073709551616', 'x', '1e3'])('refuses %j', (seed) => {
    expect(() => philoxKey(seed)).toThrow(RangeError);
  });
});

describe('uniform53', () => {
  it('covers [0, 1) and never reaches 1', () => {
    expect(uniform53(0, 0)).toBe(0);
    expect(uniform53(0xffffffff, 0xffffffff)).toBe(1 - 2 ** -53);
    expect(uniform53(0x80000000, 0)).toBe(0.5);
  });
});
