import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { U64, U64Text, U64_MAX, parseU64 } from './u64.js';

const u64 = fc.bigInt({ min: 0n, max: U64_MAX });

describe('U64', () => {
  it('reads its own decimal string back', () => {
    fc.assert(fc.property(u64, (value) => U64.decode(U64.encode(value)) === value));
    fc.assert(fc.property(u64, (value) => U64Text.parse(value.toString()) === value.toString()));
  });

  it('reads safe integers like their decimal strings', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (value) => U64.parse(value) === U64.parse(String(value))));
  });

  it('refuses everything above 2^64-1 and below 0', () => {
    fc.assert(fc.property(fc.bigInt({ min: U64_MAX + 1n, max: 1n << 80n }), (value) => parseU64(value.toString()) === null));
    fc.assert(fc.property(fc.bigInt({ min: -(1n << 70n), max: -1n }), (value) => parseU64(value.toString()) === null));
  });

  it.each([
    [0, 0n],
    ['0', 0n],
    ['007', 7n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['18446744073709551615', U64_MAX],
  ])('reads %o', (written, value) => {
    expect(U64.parse(written)).toBe(value);
    expect(U64Text.parse(written)).toBe(value.toString());
  });

  it.each([
    ['18446744073709551616', '2^64-1'],
    [2 ** 53, 'decimal string'],
    [1.5, 'whole number'],
    [-1, 'whole number'],
    [Number.NaN, 'whole number'],
    ['', 'whole number'],
    ['1e3', 'whole number'],
    ['0x10', 'whole number'],
    [' 1', 'whole number'],
    ['+1', 'whole number'],
    ['٣', 'whole number'],
    [null, 'whole number'],
    [true, 'whole number'],
    [undefined, 'required'],
    ['9'.repeat(1000), '2^64-1'],
  ])('refuses %o', (written, message) => {
    expect(U64.safeParse(written).error?.issues[0]?.message).toContain(message);
    expect(U64Text.safeParse(written).error?.issues[0]?.message).toContain(message);
  });
});
