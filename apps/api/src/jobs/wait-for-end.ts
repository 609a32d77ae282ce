import { isTerminal } from '@kiln/running';
import { type JobWatch } from './job-watch.js';

/** Resolves when the job has ended or is gone, when the time is over, or when the signal aborts: whichever is first. */
export function waitForEnd(watch: Pick<JobWatch, 'watch'>, jobId: string, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(stop, waitMs);
    const unwatch = watch.watch(jobId, (snapshot) => {
      if (snapshot === null || isTerminal(snapshot.state)) stop();
    });
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
}
