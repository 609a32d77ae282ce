import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNanoUsd, nanoUsd } from './nano-usd.js';

describe('nano-dollars', () => {
  it.each([
    ['0', 0n],
    ['0.25', 250_000_000n],
    ['.5', 500_000_000n],
    ['12', 12_000_000_000n],
    ['12.', 12_000_000_000n],
    ['0.000000001', 1n],
    ['0.250000000', 250_000_000n],
    ['99999999999.999999999', 99_999_999_999_999_999_999n],
  ])('reads %s', (usd, nano) => {
    expect(nanoUsd(usd)).toBe(nano);
  });

  it.each([
    [0n, '0'],
    [1n, '0.000000001'],
    [250_000_000n, '0.25'],
    [12_000_000_000n, '12'],
    [-1n, '-0.000000001'],
    [-1_500_000_000n, '-1.5'],
  ])('writes %s', (nano, usd) => {
    expect(formatNanoUsd(nano)).toBe(usd);
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (nano) => {
        expect(nanoUsd(formatNanoUsd(nano))).toBe(nano);
      }),
    );
  });
});
