import { type JsonValue } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf, scoreAnswer } from './score-answer.fixture.js';
import { readSet } from './set-check.js';

const check = (mode: string, rest: object = {}) => ({ kind: 'set_check', mode, ...rest });
const elements = (value: JsonValue): string[] => [...(readSet(value) ?? [])];

describe('readSet', () => {
  it.each<[string, JsonValue, string[]]>([
    ['a list', ['a', 1, true, null, ['b'], { d: 1, c: 2 }], ['a', '1', 'true', 'null', '["b"]', '{"c":2,"d":1}']],
    ['a list with repeats', ['a', 'a', 1, '1'], ['a', '1']],
    ['an object', { a: 1, b: [2] }, ['a', 'b']],
    ['a hostile object', JSON.parse('{"__proto__": 1, "constructor": 2}'), ['__proto__', 'constructor']],
    ['a text that is a JSON list', ' ["a", "b"]\n', ['a', 'b']],
    ['an empty list', '[]', []],
    ['a text that only looks like one', '[a, b]', ['[a, b]']],
    ['a JSON object as text', '{"a": 1}', ['{"a": 1}']],
    ['any other text', ' Paris\n', ['Paris']],
    ['nothing', '', ['']],
    ['a number', 4.0, ['4']],
    ['a truth value', false, ['false']],
  ])('reads %s', (_, value, expected) => {
    expect(elements(value)).toEqual(expected);
  });

  it('gives up on elements that are nested too deeply, and does so fast', () => {
    expect(readSet(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toBeNull();
    expect(elements(`${'['.repeat(200_000)}`)).toEqual(['['.repeat(200_000)]);
  });
});

describe('set_check', () => {
  it('compares with the set of the suite', () => {
    const expected = { expected_set: ['a', 'b'] };
    expect(scoreAnswer(check('equal', expected), '["b", "a", "b"]')).toEqual({ kind: 'pass', score: 1, detail: null });
    expect(scoreAnswer(check('equal', expected), '["a", "c", "d"]')).toEqual({
      kind: 'fail',
      score: 0,
      detail: { reason: 'not_equal', missing: 1, first_missing: 'b', extra: 2, first_extra: 'c' },
    });
    expect(scoreAnswer(check('subset', expected), '["a", "c"]').detail).toEqual({ reason: 'not_subset', extra: 1, first_extra: 'c' });
    expect(scoreAnswer(check('superset', expected), 'a').detail).toEqual({ reason: 'not_superset', missing: 1, first_missing: 'b' });
    expect(kindOf(check('subset', expected), 'a')).toBe('pass');
    expect(kindOf(check('subset', expected), '[]')).toBe('pass');
    expect(kindOf(check('superset', expected), '["a","b","c"]')).toBe('pass');
    expect(kindOf(check('equal', { expected_set: [] }), '[]')).toBe('pass');
  });

  it('compares with the reference, then with target or aliases', () => {
    const reference = { labels: ['a', 'b'], one: 'a', keys: { a: 0, b: 0 }, nothing: null };
    expect(scoreAnswer(check('equal', { reference_key: 'labels' }), '["b","a"]', { reference }).kind).toBe('pass');
    expect(scoreAnswer(check('equal', { reference_key: 'keys' }), '["b","a"]', { reference }).kind).toBe('pass');
    expect(scoreAnswer(check('equal', { reference_key: 'one' }), 'a', { reference }).kind).toBe('pass');
    for (const reference_key of ['missing', 'nothing', 'toString']) {
      expect(scoreAnswer(check('equal', { reference_key }), 'a', { reference })).toEqual({
        kind: 'skipped',
        score: 0,
        detail: { reason: 'missing_reference_key' },
      });
    }
    expect(kindOf(check('equal'), 'b', '["a"]', ['b'])).toBe('pass');
    expect(kindOf(check('equal'), 'c', '["a"]', ['b'])).toBe('fail');
    expect(kindOf(check('equal'), 'a')).toBe('error');
  });

  it('compares integers of any size exactly', () => {
    expect(kindOf(check('equal'), '[9007199254740992]', '[9007199254740993]')).toBe('fail');
    expect(kindOf(check('equal'), '[9007199254740993.0]', '[9007199254740993]')).toBe('pass');
    expect(kindOf(check('equal'), '[{"id": 9007199254740992}]', '[{"id": 9007199254740993}]')).toBe('fail');
    expect(kindOf(check('equal', { expected_set: ['9007199254740993'] }), '[9007199254740993]')).toBe('pass');
    expect(kindOf(check('equal'), '[null]', '[1e400]')).toBe('fail');
    expect(kindOf(check('equal'), '[10e399]', '[1e400]')).toBe('pass');
    expect(kindOf(check('equal'), '[1e9999]', '[2e9999]')).toBe('fail');
  });

  it('is invalid where nothing is proved or read', () => {
    expect(scoreAnswer(check('superset', { expected_set: [] }), 'a').detail).toEqual({ reason: 'expected_set_empty' });
    expect(kindOf(check('superset'), 'a', '[]')).toBe('invalid');
    expect(kindOf(check('equal'), `${'['.repeat(300)}${']'.repeat(300)}`, 'a')).toBe('invalid');
  });

  it('keeps the laws of sets, whatever the elements', () => {
    const set = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '', ' a')), { minLength: 1 });
    const passes = (mode: string, answer: string[], expected: string[]): boolean =>
      kindOf(check(mode, { expected_set: expected }), JSON.stringify(answer)) === 'pass';
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(passes('equal', a, a.toReversed())).toBe(true);
        expect(passes('equal', a, b)).toBe(passes('subset', a, b) && passes('superset', a, b));
        expect(passes('subset', a, b)).toBe(passes('superset', b, a));
        expect(passes('subset', a, [...a, ...b])).toBe(true);
      }),
    );
  });
});
