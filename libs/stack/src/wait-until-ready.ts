import { setTimeout as sleep } from 'node:timers/promises';
import { KilnError } from '@kiln/contracts';

/**
 * Polls `<url>/readyz` until it answers 200.
 * @param timeoutMs  for the whole wait
 * @throws KilnError `internal_error` with the last answer
 */
export async function waitUntilReady(url: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last = 'no answer';
  for (;;) {
    signal?.throwIfAborted();
    last = (await readiness(url)) ?? '';
    if (last === '') return;
    if (Date.now() >= deadline) break;
    await sleep(50);
  }
  throw new KilnError('internal_error', `${url} is not ready after ${timeoutMs / 1000} s: ${last}`);
}

/** What `<url>/readyz` complains about; null when it is ready. */
export async function readiness(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
    const body = await response.text();
    return response.status === 200 ? null : `${response.status} ${body.slice(0, 500)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
