import { pino, type Logger as PinoLogger } from 'pino';
import { prettyLine } from './pretty-line.js';
import { redactLine } from './redact-line.js';
import { serializeError } from './serialize-error.js';

export type Logger = PinoLogger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface LoggerOptions {
  level: LogLevel;
  /** Lines for people instead of JSON. */
  pretty?: boolean;
  /** Where lines go; stderr by default, so that stdout stays free for answers. */
  destination?: { write(line: string): void };
}

/** What a line can be about. Bind what is known with `logFor`, so that every line of a shard can be found by its job. */
export interface LogContext {
  project?: string;
  job?: string;
  run?: string;
  shard?: string;
  queue?: string;
}

/**
 * The logger of one process. One JSON object a line: `time` (ISO 8601), `level`, `service`, `msg`, bound ids, `err`.
 * Secrets are masked (see `redactLine`), errors are bounded, and text from models cannot break a line: JSON escapes it.
 */
export function createLogger(service: string, { level, pretty = false, destination }: LoggerOptions): Logger {
  const sink = destination ?? pino.destination({ fd: 2, sync: true });
  const stream = pretty ? { write: (line: string) => sink.write(prettyLine(line)) } : sink;
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError, error: serializeError },
      hooks: { streamWrite: redactLine },
    },
    stream,
  );
}

/** The same logger with ids bound to every line. */
export function logFor(logger: Logger, context: LogContext): Logger {
  return logger.child(context);
}
