import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExactJson } from './read-exact-json.js';

describe('readExactJson', () => {
  it.each<[string, unknown]>([
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993.0', -9007199254740993n],
    ['[12345678901234567890, 1e400, 0.1, 1e22]', [12345678901234567890n, 10n ** 400n, 0.1, 1e22]],
    ['{"s":"12345678901234567890","i1":["i7"]}', { s: '12345678901234567890', i1: ['i7'] }],
    ['{"a\\"b":"\\u0069\\\\","id":12345678901234567891}', { 'a"b': 'i\\', id: 12345678901234567891n }],
    ['[0.30000000000000004, 3.14159265358979323846]', [0.30000000000000004, 3.141592653589793]],
    ['{"a":12345678901234567891,"a":1}', { a: 1 }],
  ])('%s', (text, value) => {
    expect(readExactJson(text)).toEqual({ value });
  });

  it.each(['', '[1', '{"a":12345678901234567891', '1e9999', '[1,1e99999]', `[${'1e4000,'.repeat(30)}1]`])(
    'has no value for %.30s',
    (text) => {
      expect(readExactJson(text)).toBeNull();
    },
  );

  it('keeps own members of every name', () => {
    const read = readExactJson('{"__proto__":{"id":12345678901234567891},"constructor":1}');
    expect(Object.entries(read?.value ?? {})).toEqual([
      ['__proto__', { id: 12345678901234567891n }],
      ['constructor', 1],
    ]);
  });

  it('differs from JSON.parse in long integers only', () => {
    const json = fc.json().chain((text) => fc.tuple(fc.constant(text), fc.bigInt({ min: 2n ** 64n, max: 2n ** 80n })));
    fc.assert(
      fc.property(json, ([text, id]) => {
        // An odd integer above 2^53 is no 64-bit float.
        const odd = (id | 1n).toString();
        expect(readExactJson(`[${text},${odd}]`)).toEqual({ value: [JSON.parse(text), BigInt(odd)] });
      }),
    );
  });

  it('is linear, and deep values do not overflow', () => {
    const started = performance.now();
    readExactJson(`${'['.repeat(5_000)}12345678901234567891${']'.repeat(5_000)}`);
    readExactJson(`[${'12345678901234567891,'.repeat(50_000)}"${'\\"'.repeat(500_000)}"]`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
