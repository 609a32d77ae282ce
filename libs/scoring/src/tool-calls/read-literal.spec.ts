import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentText, MAX_ARGUMENT_DEPTH } from './argument-value.js';
import { readLiteral, readWholeLiteral } from './read-literal.js';

describe('readLiteral', () => {
  it('reads what JSON.parse reads, byte for byte of the value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', '  ', '\n'), (source, space) => {
        expect(readWholeLiteral(space + source + space)).toEqual({
          kind: 'value',
          value: JSON.parse(source),
          end: expect.any(Number),
          lenient: false,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('accepts nothing else as strict', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"a"',
      '"',
      ':',
      ',',
      '1',
      '-',
      '01',
      '1.',
      'true',
      'nul',
      "'b'",
      'None',
      '\\',
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const source = pieces.join('');
        const reading = readWholeLiteral(source);
        const isStrict = reading !== undefined && !reading.lenient;
        let parsed: unknown;
        try {
          parsed = JSON.parse(source);
        } catch {
          expect(isStrict).toBe(false);
          return;
        }
        expect(isStrict && reading.value).toEqual(parsed);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["{'k': True, 'n': None, 'f': False,}", { k: true, n: null, f: false }],
    ["{'it': 'it\\'s', \"q\": \"'\"}", { it: "it's", q: "'" }],
    ['{"text": "two\nlines"}', { text: 'two\nlines' }],
    ['{"pattern": "\\d+"}', { pattern: '\\d+' }],
    ['[1, 2,]', [1, 2]],
  ])('repairs %s', (source, value) => {
    expect(readWholeLiteral(source)).toMatchObject({ value, lenient: true });
  });

  it.each([
    ['{"a": 1', 'unterminated'],
    ['{"a": "b', 'unterminated'],
    ['{"a": tru', 'unterminated'],
    ['[1, -', 'unterminated'],
    ['', 'unterminated'],
    ['{"a": 1\n</tool_call>', 'malformed'],
    ['{a: 1}', 'malformed'],
    ['[1 2]', 'malformed'],
    ['1e9999', 'malformed'],
    [`${'['.repeat(MAX_ARGUMENT_DEPTH + 1)}${']'.repeat(MAX_ARGUMENT_DEPTH + 1)}`, 'malformed'],
  ])('%j is %s', (source, kind) => {
    expect(readLiteral(source).kind).toBe(kind);
  });

  it('keeps integers that a float would change', () => {
    expect(readWholeLiteral('[9007199254740993, 9007199254740992, 12345678901234567890, 1e21, 100000000000000000000, -0]')?.value).toEqual([
      9007199254740993n,
      9007199254740992,
      12345678901234567890n,
      1e21,
      1e20,
      -0,
    ]);
    expect(argumentText(readWholeLiteral('{"b": 9007199254740993, "a": ["x", null]}')!.value)).toBe(
      '{"a":["x",null],"b":9007199254740993}',
    );
  });

  it('has no members but its own', () => {
    const value = readWholeLiteral('{"__proto__": {"x": 1}, "constructor": 2, "a": 1, "a": 2}')!.value as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value)).toEqual([
      ['__proto__', { x: 1 }],
      ['constructor', 2],
      ['a', 2],
    ]);
  });
});
