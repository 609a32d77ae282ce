import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 20;

/**
 * Waits until `look` finds something (anything but false, null and undefined) and returns it.
 *
 * @param what said when it does not happen in time
 */
export async function until<T>(what: string, look: () => Promise<T> | T, withinMs = 30_000): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found as Exclude<T, false | null | undefined>;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await sleep(PAUSE_MS);
  }
}
