import { describe, expect, it } from 'vitest';
import { kindOf, scoreAnswer } from './score-answer.fixture.js';

describe('exact_match', () => {
  const EXACT = { kind: 'exact_match' };
  const ANY_CASE = { ...EXACT, case_sensitive: false };

  it('compares with the target and each alias', () => {
    expect(scoreAnswer(EXACT, ' Paris\n', { target: 'Paris' })).toEqual({ kind: 'pass', score: 1, detail: null });
    expect(scoreAnswer(EXACT, 'Lutetia', { target: 'Paris', aliases: ['Parigi', 'Lutetia'] })).toEqual({
      kind: 'pass',
      score: 1,
      detail: { alias: 1 },
    });
    expect(scoreAnswer(EXACT, 'Rome', { target: 'Paris' })).toEqual({ kind: 'fail', score: 0, detail: { reason: 'different' } });
  });

  it('fails an empty answer, unless an empty one is wanted (C61)', () => {
    expect(kindOf(EXACT, '', 'Paris')).toBe('fail');
    expect(kindOf(EXACT, '', '')).toBe('pass');
  });

  it('ignores case only when asked, sharp s included', () => {
    expect(kindOf(EXACT, 'paris', 'Paris')).toBe('fail');
    expect(kindOf(ANY_CASE, 'paris', 'Paris')).toBe('pass');
    expect(kindOf(ANY_CASE, 'STRASSE', 'straße')).toBe('pass');
    expect(kindOf(ANY_CASE, 'ΟΔΟΣ', 'οδος')).toBe('pass');
  });

  it('keeps white space when asked', () => {
    expect(kindOf({ ...EXACT, strip_whitespace: false }, 'Paris ', 'Paris')).toBe('fail');
  });

  it('cannot grade without target and aliases', () => {
    expect(kindOf(EXACT, 'x')).toBe('error');
    expect(scoreAnswer(EXACT, 'x', { aliases: ['y', 'x'] }).detail).toEqual({ alias: 1 });
  });

  it('compares with the value of the scorer, or with one of the reference, whatever the target', () => {
    expect(kindOf({ ...EXACT, expected_value: 'b' }, ' b ', 'a')).toBe('pass');
    expect(kindOf({ ...EXACT, expected_value: 'b' }, 'a', 'a')).toBe('fail');
    expect(kindOf({ ...EXACT, expected_value: '' }, 'a')).toBe('fail');
    const byKey = { ...EXACT, reference_key: 'year' };
    expect(scoreAnswer(byKey, '1889', { reference: { year: 1889 } }).kind).toBe('pass');
    expect(scoreAnswer(byKey, 'x', { target: 'x', reference: { year: '1889' } }).kind).toBe('fail');
    for (const reference of [null, {}, { year: null }]) {
      expect(scoreAnswer(byKey, 'x', { target: 'x', reference })).toEqual({
        kind: 'skipped',
        score: 0,
        detail: { reason: 'missing_reference_key' },
      });
    }
    expect(scoreAnswer({ ...EXACT, reference_key: 'constructor' }, 'x', { reference: {} }).kind).toBe('skipped');
  });
});

describe('numbers of a value expression', () => {
  const member = { kind: 'exact_match', value_expression: '(final_message|fromjson).a' };

  it.each([
    ['{"a":9007199254740992}', '9007199254740993', 'fail'],
    ['{"a":9007199254740993}', '9007199254740993', 'pass'],
    ['{"a":1e400}', 'null', 'fail'],
    ['{"a":[1e400]}', '[null]', 'fail'],
    ['{"a":1e30}', '1e+30', 'pass'],
  ])('%s is %s: %s', (answer, target, kind) => {
    expect(kindOf(member, answer, target)).toBe(kind);
  });

  it.each([
    ['(final_message|fromjson).a == (final_message|fromjson).b', 'false'],
    ['(final_message|fromjson).a > (final_message|fromjson).b', 'true'],
    ['(final_message|fromjson).a is integer', 'true'],
    ['(final_message|fromjson).a is odd', 'true'],
    ['-(final_message|fromjson).a', '-9007199254740993'],
    ['(-(final_message|fromjson).a)|abs', '9007199254740993'],
    ['"9007199254740993"|int', '9007199254740993'],
    ['(final_message|fromjson)|tojson', '{"a":9007199254740993,"b":9007199254740992}'],
    ['(final_message|fromjson).a|float', '9007199254740992'],
    ['(final_message|fromjson).b - 1', '9007199254740991'],
  ])('%s', (value_expression, target) => {
    expect(kindOf({ kind: 'exact_match', value_expression }, '{"a":9007199254740993,"b":9007199254740992}', target)).toBe('pass');
  });
});

describe('contains', () => {
  it('passes on any phrase by default', () => {
    const scorer = { kind: 'contains', phrases: ['Paris', 'France'] };
    expect(kindOf(scorer, 'It is Paris.')).toBe('pass');
    expect(kindOf(scorer, 'It is paris.')).toBe('fail');
    expect(kindOf({ ...scorer, case_sensitive: false }, 'It is paris.')).toBe('pass');
    expect(kindOf(scorer, '')).toBe('fail');
  });

  it('gives partial credit under all and passes only at 1', () => {
    const scorer = { kind: 'contains', phrases: ['one', 'two', 'three', 'four'], mode: 'all' };
    expect(scoreAnswer(scorer, 'four three two one')).toEqual({ kind: 'pass', score: 1, detail: null });
    expect(scoreAnswer(scorer, 'one four three')).toEqual({
      kind: 'fail',
      score: 0.75,
      detail: { reason: 'not_all_found', found: 3, phrases: 4, missing: 'two' },
    });
  });

  it('passes under none when no phrase is there', () => {
    const scorer = { kind: 'contains', phrases: ['sorry', 'cannot'], mode: 'none', case_sensitive: false };
    expect(scoreAnswer(scorer, 'Of course.')).toEqual({ kind: 'pass', score: 1, detail: null });
    expect(scoreAnswer(scorer, 'I CANNOT.')).toEqual({ kind: 'fail', score: 0, detail: { reason: 'found', phrase: 'cannot' } });
    expect(kindOf(scorer, '')).toBe('pass');
  });

  it('takes a phrase from the reference', () => {
    const scorer = { kind: 'contains', phrases: ['The'], mode: 'all', reference_key: 'city' };
    expect(scoreAnswer(scorer, 'The city is Paris', { reference: { city: 'Paris' } }).kind).toBe('pass');
    expect(scoreAnswer(scorer, 'The city is Rome', { reference: { city: 'Paris' } })).toMatchObject({
      score: 0.5,
      detail: { missing: 'Paris' },
    });
    expect(scoreAnswer({ ...scorer, phrases: [] }, 'in 1889', { reference: { city: 1889 } }).kind).toBe('pass');
    expect(scoreAnswer({ ...scorer, phrases: [] }, 'x', { reference: { city: '' } }).kind).toBe('invalid');
    expect(scoreAnswer({ ...scorer, phrases: [] }, 'null', { reference: { city: 'null' } }).kind).toBe('pass');
    for (const reference of [null, {}, { city: null }]) {
      expect(scoreAnswer(scorer, 'x', { reference }).detail).toEqual({ reason: 'missing_reference_key' });
    }
  });

  it('is invalid without phrases', () => {
    expect(scoreAnswer({ kind: 'contains', phrases: [] }, 'x')).toEqual({ kind: 'invalid', score: 0, detail: { reason: 'phrases_empty' } });
  });
});

describe('pattern_match', () => {
  const score = (pattern: string, text: string, rest = {}) => scoreAnswer({ kind: 'pattern_match', pattern, ...rest }, text);

  it('searches anywhere, whatever the target', () => {
    expect(score('\\d+', 'it is 42')).toEqual({ kind: 'pass', score: 1, detail: null });
    expect(score('^\\d+$', 'it is 42')).toEqual({ kind: 'fail', score: 0, detail: { reason: 'no_match' } });
    expect(score('IT', 'it is 42').kind).toBe('fail');
    expect(score('IT', 'it is 42', { case_sensitive: false }).kind).toBe('pass');
  });

  it('must not match when told so', () => {
    expect(score('sorry', 'Of course', { mode: 'must_not_match' }).kind).toBe('pass');
    expect(score('sorry', 'so sorry', { mode: 'must_not_match' })).toEqual({ kind: 'fail', score: 0, detail: { reason: 'match' } });
  });

  it('never passes by a pattern that cannot be searched for', () => {
    for (const mode of ['must_match', 'must_not_match']) {
      expect(score('(', 'x', { mode })).toMatchObject({ kind: 'error', detail: { reason: 'bad_pattern' } });
      expect(score('([a-z]+)*[a-z]{1,500}(\\d)', 'bx'.repeat(500_000), { mode }).detail).toEqual({ reason: 'answer_too_long_for_pattern' });
    }
  });
});

describe('regex', () => {
  const score = (pattern: string, text: string, rest = {}, target: string | null = null) =>
    scoreAnswer({ kind: 'regex', pattern, ...rest }, text, { target });

  it('passes on a match anywhere when no group is named, whatever the target', () => {
    expect(score('answer is \\d+', 'the answer is 42', {}, '7').kind).toBe('pass');
    expect(score('Answer', 'the answer is 42').kind).toBe('fail');
    expect(score('Answer', 'the answer is 42', { case_sensitive: false }).kind).toBe('pass');
  });

  it('compares the captured text of the first match, by number or name', () => {
    expect(score('answer:\\s*(.*)', 'answer: 42 ', { capture_group: 1 }, '42').kind).toBe('pass');
    expect(score('(\\d+)', '42 then 43', { capture_group: 1 }, '43').kind).toBe('fail');
    expect(score('(?P<a>x)|(?<b>y)', 'y', { capture_group: 'b' }, 'y').kind).toBe('pass');
    expect(score('yes', 'oh yes', { capture_group: 0 }, 'yes').kind).toBe('pass');
    expect(score('(Y)es', 'yes', { capture_group: 1, case_sensitive: false }, 'Y').kind).toBe('pass');
  });

  it('tells no match, an unbound group and a wrong capture apart', () => {
    expect(score('(\\d+)', 'none', { capture_group: 1 }, '1').detail).toEqual({ reason: 'no_match' });
    expect(score('(x)|y', 'y', { capture_group: 1 }, 'x')).toEqual({
      kind: 'invalid',
      score: 0,
      detail: { reason: 'group_not_matched', capture_group: 1 },
    });
    expect(score('(\\d+)', 'is 12', { capture_group: 1 }, '1').detail).toEqual({ reason: 'different', answer: '12' });
  });

  it.each(['(', '[a', '(?=a)b', '(a)\\1', 'x{1001}', '('.repeat(5000), 'a'.repeat(5000)])('a bad pattern is an error: %s', (pattern) => {
    const result = score(pattern, 'x');
    expect(result).toMatchObject({ kind: 'error', score: 0, detail: { reason: 'bad_pattern' } });
    expect(JSON.stringify(result.detail).length).toBeLessThan(300);
  });

  it('refuses a group that the pattern does not have', () => {
    expect(score('(a)', 'a', { capture_group: 2 }, 'a').kind).toBe('error');
    expect(score('(a)', 'a', { capture_group: 'b' }, 'a').kind).toBe('error');
  });

  it.each(['(a+)+$', '(a|a)*b', '(?:a*)*c', '(a*)*(a*)*(a*)*[bc]', '(.*)(.*)(.*)(.*)x'])('never hangs: %s', (pattern) => {
    const started = performance.now();
    score(pattern, `${'a'.repeat(50_000)}d`);
    score(pattern, `${'a'.repeat(50_000)}d`, { capture_group: 1 }, 'a');
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it.each(['(?:a?){1000}'.repeat(300), '\\pL{1000}'.repeat(21)])('refuses a pattern that takes its time to compile: %s', (pattern) => {
    expect(score(pattern, 'a')).toMatchObject({ kind: 'error', detail: { message: expect.stringContaining('the limit is 20000') } });
  });

  it('gives up on a pattern that is too large for the text, instead of blocking the worker', () => {
    const result = score('([a-z]+)*[a-z]{1,500}(\\d)', 'bx'.repeat(500_000));
    expect(result).toMatchObject({ kind: 'error', detail: { reason: 'answer_too_long_for_pattern' } });
  });
});
