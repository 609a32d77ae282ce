import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Slots } from './slots.js';

/** Work that ends when it is told to. */
function work() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let started = false;
  return {
    end,
    get started() {
      return started;
    },
    run: () => {
      started = true;
      return ended;
    },
  };
}

describe('Slots', () => {
  it('runs as many at once as there are slots, the rest in the order in which they came', async () => {
    const slots = new Slots(2);
    const [a, b, c, d] = [work(), work(), work(), work()];
    const all = [a, b, c, d].map((one) => slots.use(one.run));
    await turn();
    expect([a, b, c, d].map((one) => one.started)).toEqual([true, true, false, false]);
    expect(slots.busy).toBe(2);
    b.end();
    await turn();
    expect([c.started, d.started, slots.busy]).toEqual([true, false, 2]);
    for (const one of [a, c, d]) one.end();
    await Promise.all(all);
    expect(slots.busy).toBe(0);
  });

  it('frees the slot of work that fails', async () => {
    const slots = new Slots(1);
    await expect(slots.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.use(() => Promise.resolve('next'))).resolves.toBe('next');
  });
});
