import { QueueUnavailable } from './queue-errors.js';

/**
 * Waits for `work`, but not longer than `ms`; rejects with `QueueUnavailable` then. BullMQ's calls have no time-outs of their
 * own, and some never settle (its Postgres backend after close, its Redis backend on a half-open connection).
 */
export async function withinDeadline<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new QueueUnavailable(`${what}: no answer within ${ms} ms`)), ms);
  });
  // When the deadline wins, a later failure of `work` has nobody to tell.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
