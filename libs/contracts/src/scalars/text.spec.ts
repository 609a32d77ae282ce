import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Text, nonBlankText, unstorableReason } from './text.js';

describe('Text', () => {
  it('takes every string of whole characters without NUL, unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('\0'));
        expect(Text.parse(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['a\0b', 'NUL'],
    ['\ud800', 'surrogate'],
    ['x\udc00y', 'surrogate'],
    ['\udc00\ud800', 'surrogate'],
  ])('refuses %j', (text, reason) => {
    expect(unstorableReason(text)).toContain(reason);
    expect(Text.safeParse(text).success).toBe(false);
  });

  it('takes surrogate pairs', () => {
    expect(unstorableReason('🦉 \u{10ffff}')).toBeNull();
  });
});

describe('nonBlankText', () => {
  it.each([
    ['', 'blank'],
    [' \n', 'blank'],
    // Zero-width space and joiner, soft hyphen, Hangul filler, variation selector, a blank Braille cell, a language tag.
    ...['\u200b', '\u200d', '\u00ad', '\u3164', '\ufe0f', '\u2800', '\u{e0020}', '\u2060 \u00a0', '\u0007'].map((text) => [text, 'blank']),
    ['abcd', 'limit is 3'],
  ])('refuses %j', (text, reason) => {
    expect(nonBlankText(3).safeParse(text).error?.issues[0]?.message).toContain(reason);
  });

  it('keeps white space around the visible part', () => {
    expect(nonBlankText(3).parse(' a ')).toBe(' a ');
    expect(nonBlankText(3).parse('\u200bא')).toBe('\u200bא');
  });
});
