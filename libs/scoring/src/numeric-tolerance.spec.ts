import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf, scoreAnswer } from './score-answer.fixture.js';

const EXACT = { kind: 'numeric_tolerance' };
const INTEGERS = { kind: 'numeric_tolerance', integer_only: true };
const kind = (text: string, target: string, scorer: object = EXACT) => kindOf(scorer, text, target);

const integers = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const decimals = fc.tuple(integers, fc.nat({ max: 20 })).map(([digits, places]) => {
  const text = digits
    .toString()
    .replace('-', '')
    .padStart(places + 1, '0');
  const point = text.length - places;
  return `${digits < 0n ? '-' : ''}${text.slice(0, point)}${places > 0 ? `.${text.slice(point)}` : ''}`;
});

describe('numeric_tolerance', () => {
  it('passes a target against itself, however it is wrapped', () => {
    const wrap = fc.constantFrom(
      (n: string) => n,
      (n: string) => `**${n}**`,
      (n: string) => `$${n}$`,
      (n: string) => `(${n}).`,
      (n: string) => `\\boxed{${n}}`,
      (n: string) => `The answer is ${n}!`,
      (n: string) => n.replace('-', '−'),
    );
    fc.assert(
      fc.property(decimals, wrap, (n, wrapped) => {
        expect(kind(wrapped(n), n)).toBe('pass');
      }),
    );
  });

  it('never passes ten times the target, its negation or its neighbour', () => {
    fc.assert(
      fc.property(
        integers.filter((n) => n !== 0n),
        (n) => {
          for (const wrong of [n * 10n, -n, n + 1n, n - 1n]) expect(kind(String(wrong), String(n))).toBe('fail');
        },
      ),
    );
  });

  it('never passes a prefix or a suffix of the digits (C07)', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n, max: 10n ** 30n }), fc.integer({ min: 1, max: 9 }), (n, digit) => {
        expect(kind(`${digit}${n}`, String(n))).toBe('fail');
        expect(kind(`${n}${digit}`, String(n))).toBe('fail');
      }),
    );
  });

  it('is not swayed by earlier numbers', () => {
    fc.assert(
      fc.property(integers, integers, (a, b) => {
        expect(kind(`not ${a} but ${b}`, String(b))).toBe('pass');
      }),
    );
  });

  it.each([
    ['711', '11'],
    ['123457', '123456'],
    ['1000001', '1000000'],
    ['3.14', '314'],
    ['-5', '5'],
    ['20', '100'],
    ['1000', '100'],
  ])('%s is not %s', (text, target) => {
    expect(kind(text, target)).toBe('fail');
  });

  it.each([
    ['No idea', 'no_number'],
    ['', 'no_number'],
    ['192.168.1.10', 'unreadable_number'],
    ['<42', 'not_a_statement'],
    ['~42', 'not_a_statement'],
  ])('%j is invalid: %s', (text, reason) => {
    expect(scoreAnswer(EXACT, text, { target: '42' })).toMatchObject({ kind: 'invalid', score: 0, detail: { reason } });
  });

  it('takes an approximation where a tolerance is stated', () => {
    expect(kind('~42', '42', { ...EXACT, atol: 0.5 })).toBe('pass');
    expect(kind('<42', '42', { ...EXACT, atol: 0.5 })).toBe('invalid');
  });

  it('rejects a fraction under integer_only even within the tolerance', () => {
    expect(kind('3.5', '3', { ...INTEGERS, atol: 1 })).toBe('fail');
    expect(kind('42.0', '42', INTEGERS)).toBe('pass');
    expect(kind('4.2e1', '42', INTEGERS)).toBe('pass');
  });

  it('accepts any alias', () => {
    expect(kindOf(EXACT, '12', '13', ['12'])).toBe('pass');
    expect(kindOf(EXACT, '14', '13', ['12'])).toBe('fail');
  });

  it.each([null, 'abc', '3-7', '1/2', 'NaN', '~5', '1e999'])('cannot grade against the target %j', (target) => {
    expect(scoreAnswer(EXACT, '5', { target })).toMatchObject({ kind: 'error', detail: { reason: 'target_not_one_number' } });
  });

  it('keeps the detail small', () => {
    const { detail } = scoreAnswer(EXACT, '9'.repeat(900), { target: '5' });
    expect(JSON.stringify(detail).length).toBeLessThan(200);
  });
});
