import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTokenIds, encodeTokenIds } from './token-ids.js';

describe('token ids as bytes', () => {
  // 2 to 12857: the table of the DWARF 5 standard, section 7.6. 624485: the example of Wikipedia's article on LEB128.
  it.each([
    [[], ''],
    [[0], '00'],
    [[2, 127, 128, 129, 12857], '02 7f 80 01 81 01 b9 64'],
    [[624485], 'e5 8e 26'],
    [[151645, 0, 0xffff_ffff], 'dd a0 09 00 ff ff ff ff 0f'],
  ])('writes %j', (ids, hex) => {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    expect(Buffer.from(encodeTokenIds(ids))).toEqual(bytes);
    expect(decodeTokenIds(bytes)).toEqual(ids);
  });

  it('gives back any ids', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff_ffff })), (ids) => {
        expect(decodeTokenIds(encodeTokenIds(ids))).toEqual(ids);
        expect(decodeTokenIds(encodeTokenIds(Uint32Array.from(ids)))).toEqual(ids);
      }),
    );
  });

  it('reads only what it writes: each list has one encoding', () => {
    const bytes = fc.array(fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(0xff)), { maxLength: 12 });
    fc.assert(
      fc.property(bytes, (some) => {
        const ids = decodeTokenIds(Uint8Array.from(some));
        if (ids !== null) expect([...encodeTokenIds(ids)]).toEqual(some);
      }),
    );
  });

  it.each([
    ['cut off', '05 80'],
    ['longer than it has to be', '81 00'],
    ['too large', '80 80 80 80 10'],
    ['without an end', 'ff '.repeat(400)],
    ['far too long', `${'80 '.repeat(400)}01`],
  ])('does not read a number that is %s', (_what, hex) => {
    expect(decodeTokenIds(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBeNull();
  });

  it.each([-1, 0.5, 2 ** 32, NaN])('refuses the id %s', (id) => {
    expect(() => encodeTokenIds([id])).toThrow(/is no token id/);
  });
});
