import { type JobSnapshot } from '@kiln/database';
import { describe, expect, it, vi } from 'vitest';
import { jobEvents } from './job-events.js';

function snapshot(recorded: number, state: JobSnapshot['state'] = 'running'): JobSnapshot {
  return {
    id: 'j',
    state,
    stopReason: null,
    k: 1,
    exampleCount: 4,
    runCount: 1,
    progress: { recorded, passed: 0, generated: 0, scoreSum: 0 },
  };
}

/** A watch that the test speaks for. */
function fakeWatch() {
  let tell: (snapshot: JobSnapshot | null) => void = () => undefined;
  const watch = {
    watching: 0,
    watch: (_: string, watcher: typeof tell) => ((tell = watcher), (watch.watching += 1), () => (watch.watching -= 1)),
  };
  return { watch, tell: (each: JobSnapshot | null) => tell(each) };
}

const never = new AbortController().signal;

describe('jobEvents', () => {
  it('sends each new state once, and ends with the end', async () => {
    const { watch, tell } = fakeWatch();
    const events = jobEvents(watch, 'j', undefined, never);
    expect((await events.next()).value).toBe('retry: 2000\n\n');
    tell(snapshot(1));
    expect((await events.next()).value).toContain('id: running.-.1.0.0\nevent: progress\ndata: {"job_id":"j","state":"running"');
    const next = events.next();
    tell(snapshot(1));
    await Promise.resolve();
    tell(snapshot(4, 'completed'));
    expect((await next).value).toContain('event: end');
    expect(await events.next()).toEqual({ value: undefined, done: true });
    expect(watch.watching).toBe(0);
  });

  it('skips to the latest state for a slow reader', async () => {
    const { watch, tell } = fakeWatch();
    const events = jobEvents(watch, 'j', undefined, never);
    await events.next();
    for (const recorded of [1, 2, 3]) tell(snapshot(recorded));
    expect((await events.next()).value).toContain('running.-.3.0');
  });

  it('does not repeat what the client has seen, but always tells the end', async () => {
    const { watch, tell } = fakeWatch();
    const events = jobEvents(watch, 'j', 'running.-.2.0.0', never);
    await events.next();
    tell(snapshot(2));
    const next = events.next();
    setTimeout(() => tell(snapshot(3)), 5);
    expect((await next).value).toContain('running.-.3.0');

    const again = jobEvents(watch, 'j', 'completed.-.4.0.0', never);
    await again.next();
    tell(snapshot(4, 'completed'));
    expect((await again.next()).value).toContain('event: end');
  });

  it('keeps the connection alive while nothing happens', async () => {
    vi.useFakeTimers();
    try {
      const { watch } = fakeWatch();
      const events = jobEvents(watch, 'j', undefined, never);
      await events.next();
      const next = events.next();
      await vi.advanceTimersByTimeAsync(15_000);
      expect((await next).value).toBe(': heartbeat\n\n');
      await events.return(undefined);
      expect(watch.watching).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('stops when the signal aborts, and when the job is gone', async () => {
    const { watch, tell } = fakeWatch();
    const controller = new AbortController();
    const events = jobEvents(watch, 'j', undefined, controller.signal);
    await events.next();
    const next = events.next();
    controller.abort();
    expect((await next).done).toBe(true);

    const gone = jobEvents(watch, 'j', undefined, never);
    await gone.next();
    tell(null);
    expect((await gone.next()).done).toBe(true);
    expect(watch.watching).toBe(0);
  });
});
