import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf } from '../score-answer.fixture.js';
import { prove, rowOf, wrongRows } from './prove-suite.fixture.js';

/** Decimal texts as people write them: -12, 0.050, 1,234,567. */
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 6 }), fc.boolean())
  .map(([units, scale, grouped]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale);
    const shown = grouped ? whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : whole;
    return `${units < 0n ? '-' : ''}${shown}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
  });

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== '');

describe('laws of scorers', () => {
  it('a number never equals ten times itself, whatever the tolerance below nine times it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.boolean(),
        fc.double({ min: 0, max: 8.99, noNaN: true }),
        (n, negative, rtol) => {
          const target = String(negative ? -n : n);
          // |10 t − t| = 9 |t|, which no atol below 9 and no rtol below 9 alone reach for |t| ≥ 1.
          expect(kindOf({ kind: 'numeric_tolerance', rtol }, `${target}0`, target)).toBe('fail');
          expect(kindOf({ kind: 'numeric_tolerance', atol: rtol }, `${target}0`, target)).toBe('fail');
          expect(kindOf({ kind: 'exact_match' }, `${target}0`, target)).toBe('fail');
          expect(kindOf({ kind: 'json_validity' }, `${target}0`, target)).toBe('fail');
        },
      ),
    );
  });

  it('numeric_tolerance has no wrong row for any number and any tolerance', () => {
    fc.assert(
      fc.property(fc.array(decimals, { minLength: 1, maxLength: 4 }), fc.double({ min: 0, max: 2, noNaN: true }), (numbers, tolerance) => {
        const examples = numbers.map((target) => ({ target }));
        expect(wrongRows(prove({ kind: 'numeric_tolerance' }, examples))).toEqual({});
        expect(wrongRows(prove({ kind: 'numeric_tolerance', atol: tolerance, rtol: tolerance }, examples))).toEqual({});
      }),
    );
  });

  it('exact_match has no wrong row for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(words, decimals), { minLength: 1, maxLength: 4 }), fc.boolean(), (texts, case_sensitive) => {
        expect(
          wrongRows(
            prove(
              { kind: 'exact_match', case_sensitive },
              texts.map((target) => ({ target })),
            ),
          ),
        ).toEqual({});
      }),
    );
  });

  it('multiple_choice has no wrong row for labels of letters and of numbers', () => {
    const labels = fc.oneof(
      fc.integer({ min: 2, max: 26 }).map((n) => Array.from({ length: n }, (_, i) => String.fromCodePoint(65 + i))),
      fc.integer({ min: 2, max: 40 }).map((n) => Array.from({ length: n }, (_, i) => String(i + 1))),
    );
    fc.assert(
      fc.property(labels, fc.nat(), (choices, pick) => {
        const target = choices[pick % choices.length] ?? '';
        expect(wrongRows(prove({ kind: 'multiple_choice', choices }, [{ target }]))).toEqual({});
      }),
    );
  });

  it('json_validity has no wrong row for any JSON, whatever its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const proof = prove({ kind: 'json_validity' }, [{ target: JSON.stringify(value) }]);
        expect(wrongRows(proof)).toEqual({});
        expect(rowOf(proof, 'target')).toMatchObject({ passed: 1 });
      }),
    );
  });

  it('contains has no false reject for any phrases, and passes no answer that states none of them as a word', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 3 }), fc.constantFrom('any', 'all'), (phrases, mode) => {
        const proof = prove({ kind: 'contains', phrases, mode }, [{}]);
        expect(proof.false_rejects).toBe(0);
      }),
    );
  });

  it('the target against itself passes for sets in every mode', () => {
    fc.assert(
      fc.property(fc.uniqueArray(words, { minLength: 1, maxLength: 5 }), fc.constantFrom('subset', 'superset', 'equal'), (set, mode) => {
        expect(wrongRows(prove({ kind: 'set_check', expected_set: set, mode }, [{}]))).toEqual({});
      }),
    );
  });
});
