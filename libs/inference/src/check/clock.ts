import { performance } from 'node:perf_hooks';

/**
 * `cpu`: user and system time of this process, which others on the machine hardly change. `wall`: what passes, which is what counts as soon as
 * several threads or a device compute.
 */
export type Clock = 'cpu' | 'wall';

/** The clock that is fair for work on so many threads of the CPU. */
export function fairClock(threads: number): Clock {
  return threads === 1 ? 'cpu' : 'wall';
}

/** Seconds that a task takes. */
export async function secondsOf(clock: Clock, task: () => Promise<unknown>): Promise<number> {
  const now = clock === 'cpu' ? cpuSeconds : () => performance.now() / 1000;
  const start = now();
  await task();
  return now() - start;
}

/** The least of several tries, behind one that is not counted. */
export async function leastSeconds(clock: Clock, tries: number, task: () => Promise<unknown>): Promise<number> {
  await task();
  let least = Infinity;
  for (let attempt = 0; attempt < tries; attempt++) least = Math.min(least, await secondsOf(clock, task));
  return least;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
