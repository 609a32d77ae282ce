import { describe, expect, it } from 'vitest';
import { RunQueue } from './run-queue.js';

describe('RunQueue', () => {
  it('runs one task after another, failures or not', async () => {
    const queue = new RunQueue();
    const log: string[] = [];
    const task = (name: string, error?: Error) => async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      if (error !== undefined) throw error;
      return name;
    };
    const results = Promise.allSettled([queue.add(task('a')), queue.add(task('b', new Error('no'))), queue.add(task('c'))]);
    await queue.idle();
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('is idle when nothing was added', async () => {
    await expect(new RunQueue().idle()).resolves.toBeUndefined();
  });
});
