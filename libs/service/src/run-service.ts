import { type ConfigWatch, loadConfig, watchConfig } from '@kiln/config';
import { type Config, KilnError } from '@kiln/contracts';
import { createLogger, type Logger } from '@kiln/observability';
import { keepHeapSmall } from './keep-heap-small.js';

/** A stop that takes longer is cut off: an orchestrator would do the same, later and harder. */
const STOP_MS = 25_000;

export interface ServiceContext {
  /** The settings that the process started with. */
  config: Config;
  /** The settings in force now: some may change while the process runs. */
  settings: () => Config;
  log: Logger;
}

export interface RunningService {
  /** Ends the service in order; what is in flight is finished or given back. */
  stop(): Promise<void>;
}

/**
 * The life of a process: reads the configuration, starts, takes over what changes in it, and stops once on SIGTERM, SIGINT, or
 * when the process that forked it is gone. Exits 0 after a clean stop, 2 when it was configured wrongly, 1 when it could not
 * start, stop or go on.
 */
export async function runService(name: string, start: (context: ServiceContext) => Promise<RunningService>): Promise<void> {
  keepHeapSmall();
  const config = readConfig(name);
  const log = createLogger(name, config.log);
  const settings = followConfig(config, log);
  process.on('unhandledRejection', (error) => fail(log, error, 'a promise failed and nobody waited for it'));
  process.on('uncaughtException', (error) => fail(log, error, 'an error was not caught'));
  let stopping = false;
  let running: RunningService | undefined;
  const stop = (why: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping');
    const cutOff = setTimeout(() => fail(log, null, 'the stop took too long'), STOP_MS);
    Promise.resolve(running?.stop()).then(
      () => {
        clearTimeout(cutOff);
        log.info('stopped');
        process.exit(0);
      },
      (error: unknown) => fail(log, error, 'the stop failed'),
    );
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
  // Forked with a channel: when it closes, the parent is gone and nobody else would end us.
  if (process.send) process.once('disconnect', () => stop('the parent process is gone'));
  // It may have gone while this process was loading its modules: that event is over.
  if (process.send && !process.connected) process.exit(0);
  try {
    running = await start({ config, settings: settings.current, log });
    process.send?.({ ready: name });
    log.info('started');
  } catch (error) {
    if (error instanceof KilnError) log.fatal({ code: error.code, hint: error.hint }, error.message);
    fail(log, error, 'could not start');
  }
}

/** Takes over what may change while the process runs; the level of its log at once. */
function followConfig(started: Config, log: Logger): ConfigWatch {
  return watchConfig({
    started,
    onReload: ({ config, applied, needRestart }) => {
      log.level = config.log.level;
      log.info({ applied, needRestart }, 'settings changed');
    },
    onError: (err) => log.warn({ err }, 'the changed settings cannot be used; the ones in force stay'),
  });
}

function readConfig(name: string): Config {
  try {
    return loadConfig();
  } catch (error) {
    const text = error instanceof KilnError ? `${error.message}${error.hint ? `\n  ${error.hint}` : ''}` : String(error);
    process.stderr.write(`kiln ${name}: ${text}\n`);
    process.exit(2);
  }
}

function fail(log: Logger, error: unknown, message: string): never {
  log.fatal({ err: error }, message);
  process.exit(1);
}
