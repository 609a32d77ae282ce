import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, decimalFromNumber, equalDecimals, isInteger, parseDecimal, withinTolerance } from './decimal.js';

const decimal = (text: string): Decimal => {
  const value = parseDecimal(text);
  if (!value) throw new Error(`${text} is not a decimal`);
  return value;
};
const within = (value: string, target: string, atol: string, rtol: string): boolean =>
  withinTolerance(decimal(value), decimal(target), decimal(atol), decimal(rtol));

describe('parseDecimal', () => {
  it.each([
    ['2.0', '2'],
    ['0.40', '.4'],
    ['1e3', '1000'],
    ['-0.0', '0'],
    ['0e5', '0'],
    ['007.10', '7.1'],
    ['12e-1', '1.2'],
  ])('%s equals %s', (a, b) => {
    expect(decimal(a)).toEqual(decimal(b));
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['0.30000000000000004', '0.3'],
    ['1', '10'],
    ['-1', '1'],
    ['3.14', '314'],
  ])('%s differs from %s', (a, b) => {
    expect(equalDecimals(decimal(a), decimal(b))).toBe(false);
  });

  it.each(['', '.', '-', '1.', 'e5', '1e', '1,000', ' 1', 'NaN'])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it('agrees with JavaScript on every float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const { negative, digits, exponent } = decimalFromNumber(x);
        expect(Number(`${negative ? '-' : ''}${digits || '0'}e${exponent}`) + 0).toBe(x + 0);
        expect(isInteger(decimalFromNumber(x))).toBe(Number.isInteger(x));
      }),
    );
  });

  it('refuses what is not finite', () => {
    expect(() => decimalFromNumber(NaN)).toThrow(RangeError);
    expect(() => decimalFromNumber(Infinity)).toThrow(RangeError);
  });
});

describe('withinTolerance', () => {
  it('includes the bound, exactly', () => {
    // In binary, 1.015 - 1 is a little less and 0.1 + 0.2 a little more than it should be.
    expect(within('1.015', '1', '0.005', '0.01')).toBe(true);
    expect(within('1.0150000000000000000001', '1', '0.005', '0.01')).toBe(false);
    expect(within('0.3', '0', '0.3', '0')).toBe(true);
    expect(within('110', '100', '0', '0.1')).toBe(true);
    expect(within('90', '100', '0', '0.1')).toBe(true);
    expect(within('89.999', '100', '0', '0.1')).toBe(false);
  });

  it('scales rtol by the size of the target, whatever its sign', () => {
    expect(within('-109', '-100', '0', '0.1')).toBe(true);
    expect(within('5', '0', '0', '0.5')).toBe(false);
    expect(within('0', '0', '0', '0')).toBe(true);
  });

  it('is exact across six hundred orders of magnitude', () => {
    expect(within('1e308', '1e308', '1e-308', '0')).toBe(true);
    expect(within('1e308', '-1e308', '0', '1.9')).toBe(false);
    expect(within('1e308', '-1e308', '0', '2')).toBe(true);
  });
});
