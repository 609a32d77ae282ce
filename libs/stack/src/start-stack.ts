import path from 'node:path';
import { KilnError } from '@kiln/contracts';
import { createDatabase } from '@kiln/local-postgres';
import { BoundedLog } from './bounded-log.js';
import { choosePort } from './choose-port.js';
import type { Credentials } from './credentials.js';
import { endLeftovers } from './end-leftovers.js';
import { ServiceProcess, type ServiceSpec } from './service-process.js';
import { type ServiceSettings, serviceSpecs } from './service-specs.js';
import { readRunRecord } from './run-record.js';
import { RunReporter } from './run-reporter.js';
import { StackBusyError } from './stack-busy-error.js';
import { type StackPaths, makeStackFolders, stackPaths } from './stack-paths.js';
import { takeLock } from './start-lock.js';
import { SupervisedPostgres } from './supervised-postgres.js';
import { waitUntilReady } from './wait-until-ready.js';

export interface StackOptions {
  /** The repository: holds `apps` and `models`. */
  readonly root: string;
  readonly env: ServiceSettings['env'];
  readonly dataDir: string;
  readonly modelDir: string;
  /** The model of requests that name none; null = the only one there is. */
  readonly defaultModel?: string | null;
  readonly host: string;
  readonly port: number;
  /** True = fail when the port is taken; false = take the next free one. */
  readonly strictPort: boolean;
  /** A Postgres of the user's own; null = the embedded one. */
  readonly databaseUrl: string | null;
  /** Whether messages travel through the database; otherwise the services are configured for Redis. */
  readonly queueInDatabase: boolean;
  /** Shown to whoever else wants to start: `up`, `demo`. */
  readonly purpose: string;
  /** Told what goes on, one line each. */
  readonly onProgress: (line: string) => void;
  /** Gives up the start, and stops what was started. */
  readonly signal?: AbortSignal;
  /** Which services to run; default: api, scheduler and worker. */
  readonly services?: (settings: ServiceSettings) => ServiceSpec[];
}

export interface RunningStack {
  readonly url: string;
  readonly credentials: Credentials;
  /** True when this start made the API key. */
  readonly newKey: boolean;
  /** Worker, scheduler, api, Postgres, in this order. Idempotent. No process is left when it resolves. */
  stop(): Promise<void>;
  /** Ends the services without waiting for them, and Postgres without losing data. */
  kill(): void;
}

const READY_MS = 60_000;

/**
 * Starts everything on this machine and waits until the API is ready.
 *
 * @throws StackBusyError when another process runs it already
 * @throws KilnError when something does not start; nothing is left running then
 */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const paths = stackPaths(options.dataDir);
  const lock = await lockFolder(paths, options.purpose);
  const parts = new StackParts(paths, options, lock);
  const onExit = (): void => parts.abandon();
  process.once('exit', onExit);
  const stop = async (): Promise<void> => {
    await parts.stop();
    process.off('exit', onExit);
  };
  const onAbort = (): void => void stop();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const { credentials, created } = await parts.begin();
    return { url: parts.url, credentials, newKey: created, stop, kill: () => parts.kill() };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
  }
}

async function lockFolder(paths: StackPaths, purpose: string): Promise<() => Promise<void>> {
  try {
    await makeStackFolders(paths);
    const result = await takeLock(paths.lockFile, purpose);
    if ('release' in result) return result.release;
    throw new StackBusyError(result.heldBy, await readRunRecord(paths.runFile), paths.dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new KilnError('internal_error', `cannot write in ${paths.dataDir}: ${(error as Error).message}`, {
      hint: 'start kiln as the user who owns that folder, or set KILN_DATA_DIR to another one',
      cause: error,
    });
  }
}

/** What a start has made so far, so that any failure can undo exactly that. */
class StackParts {
  url = '';
  #postgres: SupervisedPostgres | null = null;
  #services: ServiceProcess[] = [];
  #starting: Promise<unknown> = Promise.resolve();
  #stopped: Promise<void> | null = null;
  readonly #report: RunReporter;

  constructor(
    readonly paths: StackPaths,
    readonly options: StackOptions,
    readonly unlock: () => Promise<void>,
  ) {
    this.#report = new RunReporter(paths.runFile);
  }

  begin(): Promise<{ credentials: Credentials; created: boolean }> {
    const starting = this.#start();
    this.#starting = starting;
    return starting;
  }

  async #start(): Promise<{ credentials: Credentials; created: boolean }> {
    const { options, paths } = this;
    const ended = await endLeftovers(paths);
    if (ended.length > 0) options.onProgress(`ended what an earlier start had left running: ${ended.join(', ')}`);
    const databaseUrl = options.databaseUrl ?? (await this.#startPostgres());
    this.#check();
    // Loaded here, because clients that only ask what runs would otherwise load the whole database layer.
    const { migrate, openDatabase } = await import('@kiln/database');
    await migrate(databaseUrl);
    if (options.queueInDatabase) {
      const { migrateQueue } = await import('@kiln/queue');
      await migrateQueue(databaseUrl);
    }
    const db = openDatabase(databaseUrl, { max: 1, applicationName: 'kiln-stack' });
    try {
      const { ensureCredentials } = await import('./ensure-credentials.js');
      const made = await ensureCredentials(db, paths.credentialsFile);
      this.#check();
      await this.#startServices(databaseUrl);
      await waitUntilReady(this.url, READY_MS, options.signal);
      await this.#report.update({ state: 'ready', processes: this.#pids() });
      return made;
    } finally {
      await db.close();
    }
  }

  async #startPostgres(): Promise<string> {
    this.options.onProgress('starting Postgres …');
    const log = this.#log('postgres');
    this.#postgres = await SupervisedPostgres.start(this.paths, log, (reason) => this.#changed(reason));
    await createDatabase(this.#postgres, 'kiln');
    return this.#postgres.url('kiln');
  }

  async #startServices(databaseUrl: string): Promise<void> {
    const { options } = this;
    options.onProgress('starting api, scheduler and worker …');
    const { host } = options;
    const port = await choosePort(host, options.port, options.strictPort, options.onProgress);
    this.url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
    const settings: ServiceSettings = { ...options, dataDir: this.paths.dataDir, databaseUrl, port };
    const specs = (options.services ?? serviceSpecs)(settings);
    this.#services = specs.map(
      (spec) =>
        new ServiceProcess(spec, this.#log(spec.name), ({ name, state }, reason) =>
          this.#changed(state === 'restarting' ? `${name}: ${reason}` : null),
        ),
    );
    await this.#report.update({ url: this.url, port, postgres_port: this.#postgres?.port ?? null });
    await Promise.all(this.#services.map((service) => service.start()));
    this.#check();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopParts();
    return this.#stopped;
  }

  kill(): void {
    for (const service of this.#services) service.kill();
  }

  /** The process is dying: what has to be told before it is gone. The services see by themselves that it is. */
  abandon(): void {
    this.#postgres?.signalStop();
  }

  async #stopParts(): Promise<void> {
    for (const service of this.#services.toReversed()) await service.stop();
    // A start that is still going on gives up at its next step. What it has made by then must be stopped too, and the lock
    // kept until it is.
    await this.#starting.catch(() => undefined);
    for (const service of this.#services.toReversed()) await service.stop();
    await this.#postgres?.stop();
    await this.#report.remove();
    await this.unlock();
  }

  #check(): void {
    if (this.#stopped !== null) throw new KilnError('internal_error', 'the start was given up');
    this.options.signal?.throwIfAborted();
  }

  #changed(line: string | null): void {
    if (this.#stopped !== null) return;
    if (line !== null) this.options.onProgress(line);
    void this.#report.update({ processes: this.#pids() });
  }

  #pids(): { name: string; pid: number | null }[] {
    const services = this.#services.map((service) => service.view()).map(({ name, pid }) => ({ name, pid }));
    return [{ name: 'postgres', pid: this.#postgres?.pid ?? null }, ...services];
  }

  #log(name: string): BoundedLog {
    return new BoundedLog(path.join(this.paths.logDir, `${name}.log`));
  }
}
