import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Usd, parseUsd } from './usd.js';

describe('Usd', () => {
  it('keeps every amount of nine decimals exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (nano) => {
        const text = `${nano / 1_000_000_000n}.${(nano % 1_000_000_000n).toString().padStart(9, '0')}`;
        const canonical = parseUsd(text);
        const [whole = '', fraction = ''] = (canonical ?? '').split('.');
        expect(BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))).toBe(nano);
        expect(parseUsd(canonical)).toBe(canonical);
      }),
    );
  });

  it.each([
    [0, '0'],
    [0.25, '0.25'],
    ['0.250', '0.25'],
    ['100', '100'],
    [100, '100'],
    ['1.000', '1'],
    [1e-7, '0.0000001'],
    [1.5e-8, '0.000000015'],
    ['999999999.999999999', '999999999.999999999'],
  ])('reads %o as %s', (written, text) => {
    expect(Usd.parse(written)).toBe(text);
  });

  it.each([
    [-1],
    ['-0.1'],
    ['1e3'],
    [1e21],
    [1e-10],
    ['0.0000000001'],
    ['01'],
    ['.5'],
    ['1.'],
    ['$1'],
    [''],
    [Number.NaN],
    [null],
    [1_000_000_000],
  ])('refuses %o', (written) => expect(Usd.safeParse(written).error?.issues[0]?.message).toContain('US dollars'));
});
