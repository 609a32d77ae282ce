import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFlaw } from './find-json-flaw.js';

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('findJsonFlaw', () => {
  it.each([
    ['{"a": }', 6, 'a value'],
    ['[1,]', 3, 'a value'],
    ['[1 2]', 3, '"," or "]"'],
    ['{"a":1,}', 7, 'a key in double quotes'],
    ['{a:1}', 1, 'a key in double quotes or "}"'],
    ["{'a':1}", 1, 'a key in double quotes or "}"'],
    ['{"a" 1}', 5, '":"'],
    ['{"a":1', 6, '"," or "}"'],
    ['[', 1, 'a value or "]"'],
    ['', 0, 'a value'],
    ['{} {}', 3, 'the end'],
    ['["a\nb"]', 3, 'the string to end, or \\n for a line break in it'],
    ['["a', 3, 'the string to end with a double quote'],
    ['["\\x"]', 2, 'an escape such as \\n, \\" or \\u00e9'],
    ['[01]', 1, 'a value or "]"'],
    ['[NaN]', 1, 'a value or "]"'],
    ['[1}', 2, '"," or "]"'],
  ])('%j breaks at %d', (text, offset, expected) => {
    expect(findJsonFlaw(text)).toEqual({ offset, expected });
  });

  it('agrees with JSON.parse on what is JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(findJsonFlaw(text)).toBeNull();
      }),
    );
    const soup = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', '.5', 'e3', 'true', 'nul', ' ', '\n', '\\', 'x'),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('');
        expect(findJsonFlaw(text) === null).toBe(accepts(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is quick and does not recurse', () => {
    expect(findJsonFlaw('['.repeat(500_000))?.offset).toBe(500_000);
    expect(findJsonFlaw(`["${'x'.repeat(2_000_000)}`)?.offset).toBe(2_000_002);
  });
});
