import { type Logger } from '@kiln/observability';

const QUIET_MS = 5_000;

export type ErrorLog = (what: string, error: unknown) => void;

/**
 * Logs errors of a connection, the same one at most every five seconds with the number left out: a server that is away makes
 * hundreds a second. Also what every `error` listener calls, because an emitter without one ends the process.
 */
export function createErrorLog(logger: Logger): ErrorLog {
  const recent = new Map<string, { at: number; suppressed: number }>();
  return (what, error) => {
    const key = `${what} ${error instanceof Error ? `${error.name} ${error.message.slice(0, 60)}` : ''}`;
    const now = performance.now();
    const last = recent.get(key);
    if (last !== undefined && now - last.at < QUIET_MS) {
      last.suppressed += 1;
      return;
    }
    if (recent.size > 100) recent.clear();
    recent.set(key, { at: now, suppressed: 0 });
    logger.warn({ err: error, ...(last !== undefined && last.suppressed > 0 ? { suppressed: last.suppressed } : {}) }, what);
  };
}
