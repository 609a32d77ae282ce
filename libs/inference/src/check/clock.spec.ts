import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { fairClock, leastSeconds, secondsOf } from './clock.js';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('clocks', () => {
  it('on the wall count waiting, those of the processor computing', async () => {
    expect(await secondsOf('wall', () => wait(60))).toBeGreaterThan(0.05);
    const seconds = await secondsOf('cpu', async () => {
      for (const end = performance.now() + 50; performance.now() < end;);
    });
    expect(seconds).toBeGreaterThan(0);
  });

  it.each([
    [1, 'cpu'],
    [2, 'wall'],
  ] as const)('%d threads: %s', (threads, clock) => {
    expect(fairClock(threads)).toBe(clock);
  });

  it('take the best of several tries, behind one that is not counted', async () => {
    const waits = [0, 40, 30, 50];
    let calls = 0;
    const seconds = await leastSeconds('wall', 3, () => wait(waits[calls++]!));
    expect(calls).toBe(4);
    expect(seconds).toBeGreaterThan(0.025);
  });
});
