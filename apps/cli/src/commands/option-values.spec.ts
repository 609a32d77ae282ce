import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { countOption, fractionOption, labelOption, listOption, numberOption, portOption, seedOption, usdOption } from './option-values.js';

describe('option values', () => {
  it.each([
    ['a seed', seedOption, '18446744073709551615', '18446744073709551615'],
    ['a seed with leading zeros', seedOption, '007', '7'],
    ['dollars', usdOption, '0.250', '0.25'],
    ['a count', countOption, '12', 12],
    ['a port', portOption, '0', 0],
    ['a rate', fractionOption, '0.8', 0.8],
    ['a number', numberOption, '-0.1', -0.1],
  ] as const)('reads %s', (_what, read, text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each([
    ['a seed above 2^64−1', seedOption, '18446744073709551616'],
    ['a seed with a sign', seedOption, '-1'],
    ['dollars in words', usdOption, 'two'],
    ['negative dollars', usdOption, '-1'],
    ['a count of nothing', countOption, '0'],
    ['half a count', countOption, '1.5'],
    ['a port above 65535', portOption, '65536'],
    ['a rate above 1', fractionOption, '80'],
    ['an empty number', numberOption, ''],
    ['an infinite number', numberOption, 'Infinity'],
    ['a label without a value', labelOption, 'git_sha'],
    ['a label without a key', labelOption, '=x'],
  ] as const)('refuses %s', (_what, read, text) => {
    expect(() => read(text)).toThrow(InvalidArgumentError);
  });

  it('collects what may be repeated', () => {
    expect(labelOption('b=2=3', labelOption('a=1'))).toEqual({ a: '1', b: '2=3' });
    expect(listOption('b', listOption(''))).toEqual(['', 'b']);
  });
});
