import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTextRange } from './text-range.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const decode = (raw: Uint8Array, range: { start: number; end: number } | null): string | null =>
  range && new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw.subarray(range.start, range.end));

describe('findTextRange', () => {
  it('finds the answer behind its reasoning, not the same words inside it', () => {
    const raw = bytes('<think>42</think>\n\n42');
    expect(findTextRange(raw, '42', 9)).toEqual({ start: 19, end: 21 });
  });

  it('prefers the end of the output', () => {
    expect(findTextRange(bytes('ab ab'), 'ab')).toEqual({ start: 3, end: 5 });
  });

  it('finds an answer whose last character was cut off', () => {
    const raw = Buffer.concat([Buffer.from('caf'), Buffer.from('é').subarray(0, 1)]);
    const range = findTextRange(raw, 'caf\uFFFD');
    expect(range).toEqual({ start: 0, end: 4 });
    expect(decode(raw, range)).toBe('caf\uFFFD');
  });

  it('says when there is none', () => {
    expect(findTextRange(bytes('abc'), 'x')).toBeNull();
    expect(findTextRange(bytes('abc'), '\uFFFD')).toBeNull();
  });

  it('always gives back the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, text) => {
        const raw = bytes(before.toWellFormed() + text.toWellFormed());
        expect(decode(raw, findTextRange(raw, text.toWellFormed()))).toBe(text.toWellFormed());
      }),
    );
  });
});
