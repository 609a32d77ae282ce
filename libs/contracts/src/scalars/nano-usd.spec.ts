import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNanoUsd, nanoUsd } from './nano-usd.js';

describe('nanoUsd', () => {
  it.each([
    ['0', 0n],
    ['0.25', 250_000_000n],
    ['12.000000001', 12_000_000_001n],
    ['-0.5', -500_000_000n],
    ['3.500000000', 3_500_000_000n],
  ])('reads %s', (usd, nano) => expect(nanoUsd(usd)).toBe(nano));

  it.each(['', '.5', '1.', '1e3', '0.0000000001', ' 1', 'NaN'])('refuses "%s"', (usd) => {
    expect(() => nanoUsd(usd)).toThrow(RangeError);
  });

  it('reads back whatever is written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (nano) => {
        expect(nanoUsd(formatNanoUsd(nano))).toBe(nano);
      }),
    );
  });
});
