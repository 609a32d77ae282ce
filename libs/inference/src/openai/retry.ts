import { type IncomingHttpHeaders } from 'node:http';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 20_000;

/**
 * Milliseconds to wait before attempt `attempt` + 1 (the first attempt is 0): 0.5 s doubled per attempt, at most 20 s, of
 * which a random half is left out, so that samples that failed together do not come back together. A time that the endpoint
 * named is waited for in full, and a little longer.
 * @param random a number in [0, 1).
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | null, random: number): number {
  const backoff = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return retryAfterMs === null ? backoff * (1 - random / 2) : retryAfterMs + random * FIRST_DELAY_MS;
}

/**
 * Milliseconds that the endpoint asks to wait: `retry-after-ms`, or `retry-after` as seconds or as an HTTP date; null
 * when it says nothing readable.
 * @param now milliseconds since 1970.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, now: number): number | null {
  const milliseconds = headers['retry-after-ms'];
  if (typeof milliseconds === 'string' && isDecimal(milliseconds)) return Number(milliseconds);
  const after = headers['retry-after'];
  if (after === undefined) return null;
  if (isDecimal(after)) return Number(after) * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function isDecimal(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text.trim());
}
