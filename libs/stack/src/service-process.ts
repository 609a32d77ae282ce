import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { KilnError } from '@kiln/contracts';
import type { BoundedLog } from './bounded-log.js';
import { readableLine } from './readable-log.js';

/** A program that the stack runs. It must send `{ready: …}` over its channel, and end when the channel closes. */
export interface ServiceSpec {
  readonly name: string;
  /** Path of its JavaScript. */
  readonly entry: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How long a stop may take before it is cut off, in milliseconds. */
  readonly stopMs: number;
}

export type ServiceState = 'starting' | 'ready' | 'restarting' | 'stopped';

export interface ServiceView {
  readonly name: string;
  readonly pid: number | null;
  readonly state: ServiceState;
  /** How often it was started again after it ended by itself. */
  readonly restarts: number;
}

const READY_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 30_000;
/** One that ran for so long is healthy: its next failure is not part of a series. */
const HEALTHY_MS = 60_000;

/** Wait before start number `failures` + 1 of a series: 0.5 s, doubling to 30 s. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(failures - 1, 0), LAST_BACKOFF_MS);
}

/** Runs one program: starts it, keeps it running, stops it. */
export class ServiceProcess {
  #child: ChildProcess | null = null;
  #state: ServiceState = 'stopped';
  #restarts = 0;
  #failures = 0;
  #stopping = false;
  #backoff: NodeJS.Timeout | undefined;

  constructor(
    readonly spec: ServiceSpec,
    readonly log: BoundedLog,
    readonly onChange: (view: ServiceView, reason: string) => void,
  ) {}

  view(): ServiceView {
    return { name: this.spec.name, pid: this.#child?.pid ?? null, state: this.#state, restarts: this.#restarts };
  }

  /**
   * Starts it and waits until it is ready. From then on it is started again whenever it ends by itself.
   * @throws KilnError `internal_error` with its last words when it ends, or says nothing for a minute
   */
  async start(): Promise<void> {
    this.#stopping = false;
    const failure = await this.#launch();
    if (failure === null) return;
    await this.stop(0);
    throw new KilnError('internal_error', `the ${this.spec.name} did not start: ${failure}`, { hint: `its log is ${this.log.file}` });
  }

  /** Asks it to end, and ends it when that takes longer than `timeoutMs`. */
  async stop(timeoutMs = this.spec.stopMs): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#backoff);
    const child = this.#child;
    if (child !== null && isRunning(child)) {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const timer = setTimeout(() => this.kill(), timeoutMs);
      await ended;
      clearTimeout(timer);
    }
    this.#become('stopped', 'stopped');
  }

  /** Ends it and its own children at once. */
  kill(): void {
    this.#stopping = true;
    if (this.#child?.pid !== undefined && isRunning(this.#child)) killGroup(this.#child.pid);
  }

  /** One start. @returns null once it is ready, else why it is not */
  #launch(): Promise<string | null> {
    const { entry, env, cwd } = this.spec;
    // Its own process group: a Ctrl-C at the terminal must reach only the stack, which stops everything in order.
    const child = fork(entry, [], {
      cwd,
      env: { ...env },
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.#child = child;
    const startedAt = Date.now();
    this.#become('starting', 'starting');
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => this.log.write(chunk));
    return new Promise((resolve) => {
      let words = '';
      const timer = setTimeout(() => {
        words = `not ready after ${READY_MS / 1000} s; `;
        if (child.pid !== undefined) killGroup(child.pid);
      }, READY_MS);
      child.on('message', (message) => {
        if (typeof message !== 'object' || message === null || !('ready' in message)) return;
        clearTimeout(timer);
        this.#become('ready', 'ready');
        resolve(null);
      });
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        const why = `${words}${signal === null ? `it ended with exit code ${code ?? 'unknown'}` : `it was ended by ${signal}`}`;
        const again = !this.#stopping && (this.#state === 'ready' || this.#restarts > 0);
        // Its own children may hold the pipes open for longer: do not wait for all of them to close.
        void Promise.race([once(child, 'close'), sleep(200)]).then(() => resolve(`${why}; its last words:\n${this.#lastWords()}`));
        if (again) this.#startAgain(why, Date.now() - startedAt);
      });
    });
  }

  #lastWords(): string {
    return this.log.tail(8).split('\n').map(readableLine).join('\n');
  }

  #startAgain(why: string, livedMs: number): void {
    this.#failures = livedMs >= HEALTHY_MS ? 1 : this.#failures + 1;
    const waitMs = backoffMs(this.#failures);
    this.#restarts += 1;
    this.#become('restarting', `${why}; starting it again in ${waitMs / 1000} s`);
    this.#backoff = setTimeout(() => void this.#launch(), waitMs);
  }

  #become(state: ServiceState, reason: string): void {
    if (this.#state === state) return;
    this.#state = state;
    this.onChange(this.view(), reason);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group is gone already.
  }
}
