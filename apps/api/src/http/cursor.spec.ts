import { describe, expect, it } from 'vitest';
import { CURSOR_PART, decodeCursor, encodeCursor } from './cursor.js';

const shape = [CURSOR_PART.integer, CURSOR_PART.text];

describe('cursors', () => {
  it('come back as they were given', () => {
    expect(decodeCursor(encodeCursor([123456789, 'añ"b']), shape)).toEqual(['123456789', 'añ"b']);
    expect(decodeCursor(undefined, shape)).toBeNull();
  });

  it.each([
    ['not base64 of JSON', '%%%'],
    ['too few parts', encodeCursor([1])],
    ['too many parts', encodeCursor([1, 'a', 'b'])],
    ['wrong type', encodeCursor(['x', 'a'])],
    ['NUL', encodeCursor([1, 'a\u0000'])],
    ['not a list', Buffer.from('{"a":1}').toString('base64url')],
  ])('%s is refused', (_name, cursor) => {
    expect(() => decodeCursor(cursor, shape)).toThrow('cursor: is not one that this list gave');
  });
});
