import { describe, expect, it } from 'vitest';
import { ResultChannel } from './result-channel.js';

async function drain<T>(channel: ResultChannel<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of channel) values.push(value);
  return values;
}

describe('ResultChannel', () => {
  it('delivers in order what is pushed before and while it is read', async () => {
    const channel = new ResultChannel<number>();
    channel.push(1);
    channel.push(2);
    const reading = drain(channel);
    await Promise.resolve();
    channel.push(3);
    setTimeout(() => {
      channel.push(4);
      channel.end();
    }, 5);
    expect(await reading).toEqual([1, 2, 3, 4]);
  });

  it('throws a failure after what was pushed before, and once', async () => {
    const channel = new ResultChannel<number>();
    channel.push(1);
    channel.fail(new Error('broken'));
    channel.push(2);
    expect(await channel.next()).toEqual({ done: false, value: 1 });
    await expect(channel.next()).rejects.toThrow('broken');
    expect(await channel.next()).toEqual({ done: true, value: undefined });
  });

  it('keeps its end: a later failure changes nothing', async () => {
    const channel = new ResultChannel<number>();
    channel.end();
    channel.fail(new Error('late'));
    expect(await drain(channel)).toEqual([]);
  });

  it('tells what was taken, and that the reader has left', async () => {
    const events: string[] = [];
    const channel = new ResultChannel<number>({ onTaken: () => events.push('taken'), onAbandoned: () => events.push('abandoned') });
    channel.push(1);
    channel.push(2);
    for await (const value of channel) if (value === 1) break;
    expect(events).toEqual(['taken', 'abandoned']);
    expect(channel.isEnded).toBe(true);
    expect(await channel.next()).toEqual({ done: true, value: undefined });
  });
});
