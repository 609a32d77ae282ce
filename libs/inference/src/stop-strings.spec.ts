import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopStrings } from './stop-strings.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function run(stops: string[], pieces: Uint8Array[]): { text: string; stopped: boolean; steps: string[] } {
  const watcher = new StopStrings(stops);
  const passed = pieces.map((piece) => Buffer.from(watcher.push(piece)));
  const all = Buffer.concat([...passed, watcher.flush()]);
  return { text: all.toString(), stopped: watcher.stopped, steps: passed.map(String) };
}

describe('StopStrings', () => {
  it('cuts before the stop string and swallows the rest', () => {
    expect(run(['\n\n'], [bytes('42\n'), bytes('\nQ: next'), bytes(' more')])).toMatchObject({ text: '42', stopped: true });
  });

  it('holds back what may still become a stop string', () => {
    expect(run(['END'], ['aE', 'N', 'x', 'EN'].map(bytes))).toEqual({
      text: 'aENxEN',
      stopped: false,
      steps: ['a', '', 'ENx', ''],
    });
  });

  it('matches across halves of a character', () => {
    const text = bytes('naïve 🙂 stop');
    const oneByOne = Array.from(text, (byte) => Uint8Array.of(byte));
    expect(run(['🙂'], oneByOne)).toMatchObject({ text: 'naïve ', stopped: true });
    expect(run(['é'], oneByOne)).toMatchObject({ text: 'naïve 🙂 stop', stopped: false });
  });

  it('lets the stop string win that is complete first, then the longer one', () => {
    expect(run(['abcd', 'bc'], [bytes('xabcd')]).text).toBe('xa');
    expect(run(['bc', 'abc'], [bytes('xabcd')]).text).toBe('x');
  });

  it('passes everything through without stop strings', () => {
    expect(run([], ['a', 'b'].map(bytes))).toEqual({ text: 'ab', stopped: false, steps: ['a', 'b'] });
    expect(run([''], [bytes('ab')])).toMatchObject({ text: 'ab', stopped: false });
  });

  it('gives the same output however the text is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '🙂'), maxLength: 30 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '🙂'), minLength: 1, maxLength: 4 }), { maxLength: 3 });
    fc.assert(
      fc.property(text, stops, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (whole, list, sizes) => {
        const all = bytes(whole);
        const pieces: Uint8Array[] = [];
        for (let at = 0, i = 0; at < all.length; i++) {
          const size = sizes[i % sizes.length]!;
          pieces.push(all.subarray(at, at + size));
          at += size;
        }
        const cut = run(list, pieces);
        const single = run(list, [all]);
        expect(cut.text).toBe(single.text);
        expect(cut.stopped).toBe(single.stopped);
        for (const stop of list) expect(cut.text.includes(stop)).toBe(false);
      }),
    );
  });
});
