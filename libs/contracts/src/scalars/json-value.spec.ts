import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonObject, JsonValue, MAX_JSON_DEPTH, jsonFlaw } from './json-value.js';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('JsonValue', () => {
  it('takes JSON as it is, the same object', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: true, stringUnit: 'grapheme', maxDepth: 8 }), (value) => {
        expect(JsonValue.parse(value)).toBe(value);
      }),
    );
  });

  it('drops no key, not even __proto__', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(JSON.stringify(JsonObject.parse(value))).toBe('{"__proto__":{"a":1},"constructor":2}');
  });

  it.each([
    [{ a: [1, Number.NaN] }, ['a', 1], 'finite'],
    [{ a: { b: Number.POSITIVE_INFINITY } }, ['a', 'b'], 'finite'],
    [{ a: new Date(0) }, ['a'], 'quote dates'],
    [{ a: undefined }, ['a'], 'not a JSON value'],
    [[1n], [0], 'not a JSON value'],
    [{ a: ['x\0'] }, ['a', 0], 'NUL'],
    [{ a: { '\ud800': 1 } }, ['a'], 'has a key'],
  ])('names the path of what cannot be stored: %o', (value, path, message) => {
    expect(jsonFlaw(value)).toMatchObject({ path });
    expect(jsonFlaw(value)?.message).toContain(message);
  });

  it('reports the first flaw in document order', () => {
    expect(jsonFlaw({ a: [Number.NaN], b: '\0' })?.path).toEqual(['a', 0]);
  });

  it(`allows ${MAX_JSON_DEPTH} levels and refuses more, however many`, () => {
    expect(jsonFlaw(nested(MAX_JSON_DEPTH))).toBeNull();
    expect(jsonFlaw(nested(MAX_JSON_DEPTH + 1))?.message).toContain('deeper');
    expect(jsonFlaw(nested(1_000_000))?.message).toContain('deeper');
  });

  it.each([[null], [[]], ['x'], [1], [undefined]])('an object is not %o', (value) => {
    expect(JsonObject.safeParse(value).error?.issues[0]?.message).toBe('expected an object');
  });
});
