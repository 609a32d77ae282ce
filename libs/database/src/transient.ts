import { setTimeout as sleep } from 'node:timers/promises';

/** SQLSTATE classes and codes of errors that say nothing about the statement: the server or the connection went away. */
const TRANSIENT_SQLSTATE = /^(08...|57P0[1-5]|25P03|40001|40P01|53...|55P03)$/;
const TRANSIENT_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
const TRANSIENT_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/** True when the same transaction may succeed if it is run again: connection loss, restart, deadlock, shortage. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && (TRANSIENT_SQLSTATE.test(code) || TRANSIENT_SYSTEM.has(code))) return true;
  // Two leases stored a trace under one key at the same moment; the next try sees the other one.
  if ((error as { constraint?: unknown }).constraint === 'traces_reuse_key_key') return true;
  if (error instanceof AggregateError) return error.errors.some(isTransient);
  return TRANSIENT_MESSAGE.test(error.message);
}

/**
 * Runs `work` again while it fails with a transient error, with growing pauses, until `deadlineMs` has passed. `work` must be
 * safe to repeat after a commit whose answer was lost.
 *
 * @param onRetry told of each error that is answered with another try
 */
export async function retryTransient<T>(
  work: () => Promise<T>,
  deadlineMs: number,
  onRetry: (error: unknown) => void = () => undefined,
): Promise<T> {
  const giveUpAt = performance.now() + deadlineMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(2_000, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() + pauseMs > giveUpAt) throw error;
      onRetry(error);
      await sleep(pauseMs);
    }
  }
}
