import { describe, expect, it } from 'vitest';
import { NativeCensus, NativeObject } from './native-object.js';

describe('NativeObject', () => {
  it('is freed once, and gives no address after', () => {
    const census = new NativeCensus();
    const freed: bigint[] = [];
    const objects = [1n, 2n].map((address) => new NativeObject('tensor', address, (freedAddress) => freed.push(freedAddress), census));
    expect(objects.map(({ address }) => address)).toEqual([1n, 2n]);
    expect(census.counts()).toEqual({ tensor: 2 });
    objects[0]!.release();
    objects[0]!.release();
    expect(freed).toEqual([1n]);
    expect(census.counts()).toEqual({ tensor: 1 });
    expect(() => objects[0]!.address).toThrow('this tensor was released');
    objects[1]!.release();
    expect(census.counts()).toEqual({});
  });
});
