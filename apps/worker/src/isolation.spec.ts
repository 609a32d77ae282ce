import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Isolation } from './isolation.js';

describe('Isolation', () => {
  it('runs shared work side by side and other work alone, in the order in which it came', async () => {
    const isolation = new Isolation();
    const running = new Set<string>();
    const ends = new Map<string, () => void>();
    const start = (name: string, alone: boolean): Promise<void> =>
      isolation.run(alone, async () => {
        running.add(name);
        await new Promise<void>((end) => ends.set(name, end));
        running.delete(name);
      });
    const end = async (name: string): Promise<string[]> => {
      ends.get(name)!();
      await turn();
      return [...running];
    };
    const all = [start('a', false), start('b', false), start('x', true), start('y', true), start('c', false), start('d', false)];
    await turn();
    expect([...running]).toEqual(['a', 'b']);
    expect(await end('a')).toEqual(['b']);
    expect(await end('b')).toEqual(['x']);
    expect(await end('x')).toEqual(['y']);
    expect(await end('y')).toEqual(['c', 'd']);
    expect(await end('c')).toEqual(['d']);
    expect(await end('d')).toEqual([]);
    await Promise.all(all);
  });

  it('lets the next one in when work fails', async () => {
    const isolation = new Isolation();
    await expect(isolation.run(true, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(isolation.run(true, () => Promise.resolve('next'))).resolves.toBe('next');
  });
});
