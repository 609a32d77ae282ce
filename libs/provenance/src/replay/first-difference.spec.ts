import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingFields } from './differing-fields.js';
import { firstDifference, firstTokenDifference } from './first-difference.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('firstDifference', () => {
  it('names the byte and shows the text around it', () => {
    expect(firstDifference(bytes('the answer is 185.'), bytes('the answer is 186.'))).toEqual({
      byte: 16,
      expected: 0x35,
      actual: 0x36,
      expectedContext: 'the answer is 185.',
      actualContext: 'the answer is 186.',
    });
  });

  it('takes an end for a difference', () => {
    expect(firstDifference(bytes('ab'), bytes('abc'))).toMatchObject({ byte: 2, expected: null, actual: 0x63 });
    expect(firstDifference(bytes('ab'), bytes(''))).toMatchObject({ byte: 0, expected: 0x61, actual: null });
  });

  it('shows little of a long text', () => {
    const long = `${'x'.repeat(1000)}a${'y'.repeat(1000)}`;
    const found = firstDifference(bytes(long), bytes(long.replace('a', 'b')))!;
    expect(found.expectedContext).toBe(`${'x'.repeat(32)}a${'y'.repeat(31)}`);
  });

  it('finds the smallest index at which two byte sequences differ, and nothing in equal ones', () => {
    const some = fc.uint8Array({ maxLength: 12, max: 2 });
    fc.assert(
      fc.property(some, some, (a, b) => {
        const at = Array.from({ length: 13 }, (_, index) => index).find((index) => a[index] !== b[index]);
        expect(firstDifference(a, b)?.byte).toBe(at);
      }),
    );
  });
});

describe('firstTokenDifference', () => {
  it.each([
    ['in the middle', [5, 300, 7], [5, 301, 7], { token: 1, expected: 300, actual: 301 }],
    ['where one ends', [5, 300], [5], { token: 1, expected: 300, actual: null }],
    ['where the other ends', [], [2], { token: 0, expected: null, actual: 2 }],
  ])('names the token %s, and shows the ids around it', (_where, expected, actual, found) => {
    expect(firstTokenDifference(expected, actual)).toEqual({ ...found, expectedContext: expected, actualContext: actual });
  });

  it('shows few of many tokens, and finds nothing in equal ones', () => {
    const many = Array.from({ length: 100 }, (_, index) => index);
    expect(firstTokenDifference(many, many.with(50, 7))).toEqual({
      token: 50,
      expected: 50,
      actual: 7,
      expectedContext: many.slice(42, 58),
      actualContext: [...many.slice(42, 50), 7, ...many.slice(51, 58)],
    });
    expect(firstTokenDifference(many, [...many])).toBeNull();
  });
});

describe('differingFields', () => {
  it('names fields that changed, went or came', () => {
    expect(differingFields({ a: 1, b: { x: [1] }, gone: 'g' }, { b: { x: [1] }, a: 2, came: null })).toEqual([
      { field: 'a', expected: '1', actual: '2' },
      { field: 'came', expected: null, actual: 'null' },
      { field: 'gone', expected: '"g"', actual: null },
    ]);
  });

  it('reads no field from the prototype', () => {
    expect(differingFields({}, { constructor: 1 })).toEqual([{ field: 'constructor', expected: null, actual: '1' }]);
  });
});
