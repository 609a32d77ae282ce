import { describe, expect, it } from 'vitest';
import { snakeKeys } from './snake-keys.js';

describe('snakeKeys', () => {
  it('renames fields at any depth, and nothing else', () => {
    const value = { minRows: 1, a: [{ bytesPerS: 2, text: 'minRows' }, null, 'x'], flat_key: { inPlace: false } };
    expect(snakeKeys(value)).toEqual({
      min_rows: 1,
      a: [{ bytes_per_s: 2, text: 'minRows' }, null, 'x'],
      flat_key: { in_place: false },
    });
  });
});
