import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storableJson } from './storable-json.js';

describe('storableJson', () => {
  it('replaces what Postgres cannot hold, in values and in keys', () => {
    expect(storableJson({ 'a\0': ['x\0y', { z: '\ud800!' }] })).toBe('{"a\uFFFD":["x\uFFFDy",{"z":"\uFFFD!"}]}');
  });

  it('leaves a backslash that only looks like an escape', () => {
    expect(storableJson('\\u0000')).toBe('"\\\\u0000"');
  });

  it('has no text for nothing', () => {
    expect([storableJson(null), storableJson(undefined)]).toEqual([null, null]);
  });

  it('never writes an escape that jsonb refuses', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = storableJson(value) ?? '';
        expect(text.replaceAll('\\\\', '')).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });
});
