import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalPostgres, startLocalPostgres } from '@kiln/local-postgres';
import type { BoundedLog } from './bounded-log.js';
import { ensurePostgresPassword } from './credentials.js';
import { backoffMs } from './service-process.js';
import type { StackPaths } from './stack-paths.js';

/** Room for the pools of api, scheduler and worker, their queues, and a person with psql. */
const SETTINGS = { max_connections: '120', log_checkpoints: 'off' };

/** The embedded Postgres of a stack: started again, on the same port, when it ends by itself. */
export class SupervisedPostgres {
  #server: LocalPostgres;
  #stopping = false;
  /** The start that follows an unexpected end, while it goes on. */
  #starting: Promise<void> = Promise.resolve();

  private constructor(
    readonly paths: StackPaths,
    readonly password: string,
    readonly log: BoundedLog,
    readonly onChange: (reason: string) => void,
    server: LocalPostgres,
  ) {
    this.#server = server;
    this.#watch();
  }

  static async start(paths: StackPaths, log: BoundedLog, onChange: (reason: string) => void): Promise<SupervisedPostgres> {
    const password = await ensurePostgresPassword(paths.postgresPassword, paths.postgresData);
    return new SupervisedPostgres(paths, password, log, onChange, await launch(paths, password, log));
  }

  get pid(): number {
    return this.#server.pid;
  }

  get port(): number {
    return this.#server.port;
  }

  url(database: string): string {
    return this.#server.url(database);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#starting;
    await this.#server.stop();
  }

  /** For the last moment of a dying process: asks for a fast shutdown and waits for nothing. */
  signalStop(): void {
    this.#stopping = true;
    try {
      process.kill(this.#server.pid, 'SIGINT');
    } catch {
      // Gone already.
    }
  }

  #watch(): void {
    void this.#server.exited.then(({ code, signal }) => {
      if (this.#stopping) return;
      this.onChange(`Postgres ended by itself (${signal ?? `exit code ${code ?? 'unknown'}`}); starting it again`);
      this.#starting = this.#startAgain();
    });
  }

  async #startAgain(): Promise<void> {
    for (let failures = 1; !this.#stopping; failures += 1) {
      try {
        this.#server = await launch(this.paths, this.password, this.log, this.#server.port);
        this.onChange('Postgres is back');
        return this.#watch();
      } catch (error) {
        this.log.write(`${error instanceof Error ? error.message : String(error)}\n`);
        await sleep(backoffMs(failures));
      }
    }
  }
}

function launch(paths: StackPaths, password: string, log: BoundedLog, port?: number): Promise<LocalPostgres> {
  return startLocalPostgres({
    dataDir: paths.postgresData,
    password,
    settings: SETTINGS,
    onLog: (text) => log.write(text),
    ...(port === undefined ? {} : { port }),
  });
}
