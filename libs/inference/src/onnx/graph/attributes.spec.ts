import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newNode, readFloatAttribute, readIntAttribute, readIntsAttribute } from './attributes.js';

/** AttributeProto written by hand: name "axis", i -1, type INT. A negative int64 takes ten bytes. */
const AXIS = Uint8Array.from([0x2a, 0x14, 0x0a, 4, 0x61, 0x78, 0x69, 0x73, 0x18, ...Array<number>(9).fill(0xff), 1, 0xa0, 1, 2]);

describe('attributes', () => {
  it('have the bytes of the format', () => {
    const { rest } = newNode('n', 'Op', [], [], { axis: -1 });
    expect(Buffer.from(rest[0]!).toString('hex')).toBe(Buffer.from(AXIS).toString('hex'));
    expect(readIntAttribute({ ...newNode('n', 'Op', [], []), rest: [AXIS] }, 'axis')).toBe(-1);
  });

  it('come back as written', () => {
    const whole = fc.maxSafeInteger();
    fc.assert(
      fc.property(whole, fc.array(whole, { minLength: 1 }), fc.float({ noNaN: true }), (one, many, float) => {
        const node = newNode('n', 'Op', [], [], { one, many, float: { float } });
        expect(readIntAttribute(node, 'one')).toBe(one);
        expect(readIntsAttribute(node, 'many')).toEqual(many);
        expect(readFloatAttribute(node, 'float')).toBe(float);
        expect(readIntAttribute(node, 'two')).toBeNull();
      }),
    );
  });

  it('may be packed', () => {
    // name "p", ints [1, 0] as one length-delimited field.
    const packed = Uint8Array.from([0x2a, 7, 0x0a, 1, 0x70, 0x42, 2, 1, 0]);
    expect(readIntsAttribute({ ...newNode('n', 'Op', [], []), rest: [packed] }, 'p')).toEqual([1, 0]);
  });
});
