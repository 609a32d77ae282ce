import { describe, expect, it } from 'vitest';
import { OncePerKey } from './once-per-key.js';

describe('OncePerKey', () => {
  it('makes a thing once for all who ask while it is made and after', async () => {
    const cache = new OncePerKey<number>(2);
    let made = 0;
    const make = async (): Promise<number> => (made += 1);
    expect(await Promise.all([cache.get('a', make), cache.get('a', make)])).toEqual([1, 1]);
    expect(await cache.get('a', make)).toBe(1);
  });

  it('keeps no failure, and forgets none but its own', async () => {
    const cache = new OncePerKey<string>(2);
    let fail!: (error: Error) => void;
    const failing = cache.get('a', () => new Promise((_resolve, reject) => (fail = reject)));
    for (const key of ['b', 'c']) await cache.get(key, () => Promise.resolve(key));
    const second = cache.get('a', () => Promise.resolve('second'));
    fail(new Error('first'));
    await expect(failing).rejects.toThrow('first');
    expect(cache.get('a', () => Promise.resolve('third'))).toBe(second);

    await expect(cache.get('d', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('d', () => Promise.resolve('again'))).toBe('again');
  });

  it('forgets the oldest beyond its limit', async () => {
    const cache = new OncePerKey<string>(2);
    for (const key of ['a', 'b', 'c']) await cache.get(key, () => Promise.resolve(key));
    expect(await cache.get('c', () => Promise.resolve('new'))).toBe('c');
    expect(await cache.get('a', () => Promise.resolve('new'))).toBe('new');
  });
});
