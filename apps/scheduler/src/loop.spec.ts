import { createLogger } from '@kiln/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Loop } from './loop.js';

const lines: string[] = [];
const log = createLogger('test', { level: 'warn', destination: { write: (line) => void lines.push(line) } });
const NEVER = 3_600_000;

describe('Loop', () => {
  it('never runs two passes at a time, and a wake-up during a pass makes one more', async () => {
    let running = 0;
    let most = 0;
    let passes = 0;
    const loop = new Loop(
      'test',
      NEVER,
      async () => {
        passes += 1;
        most = Math.max(most, ++running);
        await sleep(10);
        running -= 1;
      },
      log,
    );
    loop.start();
    loop.wake();
    loop.wake();
    await sleep(60);
    await loop.stop();
    expect([most, passes]).toEqual([1, 2]);
  });

  it('goes on after a failure, and says so', async () => {
    let passes = 0;
    const loop = new Loop(
      'failing',
      NEVER,
      async () => {
        passes += 1;
        if (passes === 1) throw new Error('the database is away');
      },
      log,
    );
    loop.start();
    await sleep(400);
    await loop.stop();
    expect(passes).toBe(2);
    expect(lines.join('')).toContain('the database is away');
  });

  it('waits for the pass that runs when it stops, and runs no other', async () => {
    let done = false;
    const loop = new Loop(
      'test',
      1,
      async () => {
        await sleep(20);
        done = true;
      },
      log,
    );
    loop.start();
    await loop.stop();
    expect(done).toBe(true);
    done = false;
    loop.wake();
    await sleep(30);
    expect(done).toBe(false);
  });
});
