import { describe, expect, it } from 'vitest';
import { clip, safeJson, safeText } from './safe-text.js';

describe('safeText', () => {
  it.each([
    ['a colour', '\u001b[31mred', '\\x1b[31mred'],
    ['a window title', '\u001b]0;owned\u0007', '\\x1b]0;owned\\x07'],
    ['an 8-bit control sequence', '\u009b2J', '\\x9b2J'],
    ['a carriage return that overwrites the line', 'safe\rPASS', 'safe\\rPASS'],
    ['text that runs backwards', 'a\u202eb', 'a\\u202eb'],
    ['an invisible character', 'a\u200bb', 'a\\u200bb'],
    ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
    ['half a surrogate pair', 'a\ud83d', 'a\\ud83d'],
  ])('shows %s as an escape', (_what, text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it('leaves words of any language, and emoji, as they are', () => {
    const text = 'größe 大小 حجم نمی\u200cخواهم 👩\u200d🚀';
    expect(safeText(text)).toBe(text);
  });

  it('keeps lines only when asked to', () => {
    expect(safeText('a\n\tb\u001b')).toBe('a\\n\\tb\\x1b');
    expect(safeText('a\n\tb\u001b', true)).toBe('a\n\tb\\x1b');
  });
});

describe('clip', () => {
  it('cuts by characters and says that it did', () => {
    expect(clip('👍👍👍', 3)).toBe('👍👍👍');
    expect(clip('👍👍👍👍', 3)).toBe('👍👍…');
    expect(clip('a\nb', 10)).toBe('a\\nb');
  });
});

describe('safeJson', () => {
  it('escapes what a terminal would obey, and is the same value', () => {
    const value = { 'k\u009b': ['\u001b[31m\u009b2J', 'a\u202eb\u2028', 'tag \u{e0041}', 'größe 👩\u200d🚀', 'a\nb'], n: 1 };
    const text = safeJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).toMatch(/^[\n\u0020-\u007e]*größe 👩\u200d🚀[\n\u0020-\u007e]*$/u);
    expect(text).toContain('"tag \\udb40\\udc41"');
  });
});
