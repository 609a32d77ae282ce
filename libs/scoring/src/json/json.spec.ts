import { describe, expect, it } from 'vitest';
import { equalJson } from './equal-json.js';
import { compileJsonPointer } from './json-pointer.js';
import { readJson } from './read-json.js';

const equal = (a: string, b: string): boolean => equalJson({ source: a, value: JSON.parse(a) }, { source: b, value: JSON.parse(b) });
const source = (text: string): string => {
  const reading = readJson(text);
  return reading.kind === 'json' ? reading.source : reading.reason;
};

describe('readJson', () => {
  it.each([
    ['whole text', ' {"a":1}\n', '{"a":1}'],
    ['a lone value', 'true', 'true'],
    ['a string with braces', '"{x}"', '"{x}"'],
    ['a fence', '```json\n{"a":1}\n```', '{"a":1}'],
    ['prose around', 'Sure! [1,2] is it. {"b":2}', '[1,2]'],
    ['brackets in strings', 'so { "m": "} hi {\\"" } then', '{ "m": "} hi {\\"" }'],
    ['fences in strings stay (C42)', '{"a":"```x```"}', '{"a":"```x```"}'],
    ['two documents: the first', '{"a":1}{"a":2}', '{"a":1}'],
    ['a cut-off answer', '{"a": [1,2], "b": ', 'unclosed_json'],
    ['an open string', '{"a": "b}', 'unclosed_json'],
    ['the first balanced brackets are not JSON', '{\'a\': [1]} or {"a":1}', 'not_json'],
    ['unquoted keys', '{ mapping: {"a":1} }', 'not_json'],
    ['mixed brackets', '[1,2}', 'not_json'],
    ['prose', 'I do not know.', 'no_json'],
    ['prose that starts like JSON', 'null and void', 'no_json'],
    ['nothing', '', 'no_json'],
  ])('%s', (_, text, expected) => {
    expect(source(text)).toBe(expected);
  });

  it('neither overflows the stack nor stalls', () => {
    const open = '['.repeat(100_000);
    const deep = open + ']'.repeat(100_000);
    const started = performance.now();
    expect(source(open)).toBe('unclosed_json');
    expect(source(`say ${open}`)).toBe('unclosed_json');
    expect(source(deep)).toBe(deep);
    expect(equal(deep, deep)).toBe(true);
    expect(source('{"'.repeat(100_000))).toBe('unclosed_json');
    expect(source(`x ${'"['.repeat(300_000)}`)).toBe('unclosed_json');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('takes time in proportion to the length', () => {
    const time = (length: number): number => {
      const text = `say ${'[{"a":['.repeat(length)}`;
      const rounds = Array.from({ length: 7 }, () => {
        const started = performance.now();
        readJson(text);
        return performance.now() - started;
      });
      return Math.min(...rounds);
    };
    time(1_000);
    // Quadratic work would take 64 times as long.
    expect(time(160_000)).toBeLessThan(30 * Math.max(time(20_000), 1));
  });
});

describe('equalJson', () => {
  it.each([
    ['{"a":1,"b":[2,{"c":null}]}', ' { "b" : [ 2.0 , {"c":null} ] , "a" : 1e0 } ', true],
    ['{"a":-0}', '{"a":0}', true],
    ['{"a":"\\u00e9"}', '{"a":"é"}', true],
    ['{"a":null}', '{}', false],
    ['{"a":null}', '{"b":null}', false],
    ['{}', '[]', false],
    ['[1,2]', '[2,1]', false],
    ['true', '1', false],
    ['"1"', '1', false],
    ['null', '0', false],
    ['{"__proto__":1}', '{"__proto__":1}', true],
    ['{"__proto__":1}', '{"constructor":1}', false],
    ['{"toString":1}', '{}', false],
    // 64-bit ids: equal as floats, and not the same id (C09)
    ['{"id":9007199254740993}', '{"id":9007199254740992}', false],
    ['{"id":1234567890123456789}', '{"id":1234567890123456789.0}', true],
    ['[0.30000000000000004]', '[0.3]', false],
    ['[0.1000000000000000055511151231257827]', '[0.1]', false],
    ['[1e999]', '[2e999]', false],
    ['[1e999]', '[10e998]', true],
    ['[12345678901234567890,"12345678901234567891"]', '[12345678901234567890,"12345678901234567891"]', true],
    ['["12345678901234567890e0"]', '[12345678901234567890]', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(equal(a, b)).toBe(expected);
    expect(equal(b, a)).toBe(expected);
  });
});

describe('compileJsonPointer', () => {
  it.each([
    ['', 1, true],
    ['/a/0', { a: [null] }, true],
    ['/a/1', { a: [null] }, false],
    ['/a/-', { a: [null] }, false],
    ['/a/00', { a: [null] }, false],
    ['/a/length', { a: [null] }, false],
    ['/constructor', {}, false],
    ['/a~1b/m~0n/~01', { 'a/b': { 'm~n': { '~1': 0 } } }, true],
    ['/a/b', { a: 'text' }, false],
    ['/', { '': 0 }, true],
  ])('%j in %j: %s', (pointer, root, expected) => {
    expect(compileJsonPointer(pointer)(root)).toBe(expected);
  });
});
