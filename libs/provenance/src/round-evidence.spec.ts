import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import { roundEvidence } from './round-evidence.js';

describe('roundEvidence', () => {
  it('rounds fractions to 12 significant digits at every depth', () => {
    const input = Object.freeze({ p: 0.1 + 0.2, list: Object.freeze([2 / 3, { tiny: 1.23456789012345e-20 }]) });
    expect(roundEvidence(input)).toEqual({ p: 0.3, list: [0.666666666667, { tiny: 1.23456789012e-20 }] });
  });

  it('keeps counts, text, booleans and null, and turns -0 into 0', () => {
    const value = { tokens: 9007199254740991, text: '0.30000000000000004', yes: true, none: null };
    expect(roundEvidence(value)).toEqual(value);
    expect(Object.is(roundEvidence(-0), 0)).toBe(true);
  });

  it('keeps a member named __proto__', () => {
    const value = JSON.parse('{"__proto__":0.30000000000000004}') as unknown;
    expect(canonicalJson(roundEvidence(value))).toBe('{"__proto__":0.3}');
  });

  it('hides differences in the last bits and is idempotent', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1, noNaN: true }), (value) => {
        const once = roundEvidence(value);
        expect(roundEvidence(once)).toBe(once);
        expect(Math.abs(once - value) / value).toBeLessThanOrEqual(5.1e-12);
      }),
    );
  });
});
