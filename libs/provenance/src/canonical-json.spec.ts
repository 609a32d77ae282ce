import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('writes the examples of RFC 8785', () => {
    const numbers = [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0];
    expect(canonicalJson({ numbers, string: '€$\u000F\u000aA\'B"\\\\"/', literals: [null, true, false] })).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.keys(JSON.parse(canonicalJson(keys)) as object)).toEqual([
      '1',
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
  });

  it('does not depend on the order of keys, keeps the order of lists, and reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
  });

  it('keeps members named like prototype members', () => {
    const value = JSON.parse('{"__proto__":1,"constructor":2,"toString":3}') as unknown;
    expect(canonicalJson(value)).toBe('{"__proto__":1,"constructor":2,"toString":3}');
  });

  it.each([
    ['NaN', { a: [1, Number.NaN] }, '$.a[1] is NaN'],
    ['an infinity', { a: -Infinity }, '$.a is -Infinity'],
    ['an undefined member', { a: { b: undefined } }, '$.a.b is undefined'],
    ['undefined itself', undefined, '$ is undefined'],
    ['a hole', { a: [1, , 2] }, '$.a[1] is undefined'], // oxlint-disable-line no-sparse-arrays
    ['a bigint', { seed: 1n }, '$.seed is a bigint'],
    ['a function', { toJSON: () => 1 }, '$.toJSON is a function'],
    ['a symbol', [Symbol('x')], '$[0] is a symbol'],
    ['a date', { at: new Date(0) }, '$.at is a Date'],
    ['a map', new Map(), '$ is a Map'],
    ['half a surrogate pair', { text: 'a\ud83d' }, '$.text has half'],
    ['a key with half a surrogate pair', { '\ude00': 1 }, '$ has a key'],
  ])('refuses %s and says where', (_name, value, message) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalJson(value)).toThrow(message);
  });

  it('refuses a cycle instead of exhausting the stack', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => canonicalJson(cycle)).toThrow('refers to itself');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
