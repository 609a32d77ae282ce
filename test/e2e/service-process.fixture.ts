import { guardChild } from '@kiln/testing';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 60_000;
const STOP_MS = 40_000;
const LOG_CHARACTERS = 200_000;

export type ServiceName = 'api' | 'scheduler' | 'worker';

/**
 * A built service (`apps/<name>/dist/main.js`) as its own process, to be killed, stopped and started again. It ends when this
 * test process ends, because its channel closes and because it is guarded.
 */
export class ServiceProcess {
  #child: ChildProcess | null = null;
  #log = '';

  constructor(
    readonly service: ServiceName,
    readonly label: string,
    readonly env: Readonly<Record<string, string>>,
  ) {}

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`${this.label} is not running`);
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The end of what all its lives wrote to stdout and stderr. */
  get log(): string {
    return this.#log;
  }

  /** Resolves when the service says that it is ready; rejects when it ends before. */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const entry = `${ROOT}apps/${this.service}/dist/main.js`;
    if (!existsSync(entry)) throw new Error(`${entry} is missing: build first (npx tsc -b)`);
    const child = fork(entry, [], {
      cwd: ROOT,
      env: { ...process.env, ...this.env },
      // Not those of the test process, which resolve libraries to their sources.
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    guardChild(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => this.#write(chunk.toString()));
    await this.#untilReady(child);
  }

  /** A crash: SIGKILL, and the process is gone when this resolves. */
  kill(): Promise<void> {
    this.#write(`--- SIGKILL to ${this.label}\n`);
    return this.#end('SIGKILL').then(() => undefined);
  }

  /** An orderly stop: SIGTERM. @returns its exit code; null when it had to be killed, or was not running */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === null || !this.isRunning) return null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const code = await ended;
    clearTimeout(timer);
    return code;
  }

  #untilReady(child: ChildProcess): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
        end();
      };
      const fail = (why: string) => settle(() => reject(new Error(`${this.label} ${why}; its log ends with:\n${this.#log.slice(-4000)}`)));
      const onMessage = (message: unknown): void => {
        if (typeof message === 'object' && message !== null && 'ready' in message) settle(resolve);
      };
      const onExit = (code: number | null): void => fail(`ended with ${code} before it was ready`);
      const timer = setTimeout(() => fail(`was not ready after ${READY_MS} ms`), READY_MS);
      child.on('message', onMessage).on('exit', onExit);
    });
  }

  #write(text: string): void {
    this.#log = (this.#log + text).slice(-LOG_CHARACTERS);
  }
}
