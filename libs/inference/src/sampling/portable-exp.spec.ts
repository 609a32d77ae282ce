import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableExp } from './portable-exp.js';

describe('portableExp', () => {
  it('agrees with Math.exp within two units in the last place', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 0, noNaN: true }), (x) => {
        const expected = Math.exp(x);
        expect(Math.abs(portableExp(x) - expected)).toBeLessThanOrEqual(2 * expected * Number.EPSILON);
      }),
      { numRuns: 5000 },
    );
  });

  it('has exact ends', () => {
    expect(portableExp(0)).toBe(1);
    expect(portableExp(-0)).toBe(1);
    expect(portableExp(-Infinity)).toBe(0);
    expect(portableExp(-708)).toBeGreaterThan(0);
    expect(portableExp(-708.0000001)).toBe(0);
  });

  it('is frozen to the bit', () => {
    const bits = (x: number) => Buffer.from(new Float64Array([portableExp(x)]).buffer).toString('hex');
    expect([-0.1, -0.5, -1, -3.7, -20.25].map(bits)).toMatchInlineSnapshot(`
      [
        "3a2bd5996df4ec3f",
        "0a966ffcb268e33f",
        "38ef2c36568bd73f",
        "441087c61f51993f",
        "3bca271ede931b3e",
      ]
    `);
  });

  it.each([0.1, NaN, Infinity])('refuses %d', (x) => {
    expect(() => portableExp(x)).toThrow(RangeError);
  });
});
