import { type LoggerService } from '@nestjs/common';
import { type Logger } from '@kiln/observability';

/** Lines of the framework in the process's own log. What it says while starting is for debugging. */
export function nestLogger(logger: Logger): LoggerService {
  const write =
    (level: 'debug' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...context: unknown[]) => {
      const text = message instanceof Error ? message.message : String(message);
      logger[level]({ ...(message instanceof Error ? { err: message } : {}), context: context.at(-1) }, text);
    };
  return {
    log: write('debug'),
    debug: write('debug'),
    verbose: write('debug'),
    warn: write('warn'),
    error: write('error'),
    fatal: write('fatal'),
  };
}
