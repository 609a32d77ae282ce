import { type ChildProcess, spawn } from 'node:child_process';
import { guardChild } from './process-guard.js';

export interface ServerCommand {
  file: string;
  args: string[];
  /** Text on stdout or stderr that says the server accepts connections. */
  readyText: string;
  readyTimeoutMs?: number;
}

/** Starts a server and waits until it says that it is ready; rejects with the end of its output when it does not. */
export async function startServerProcess(command: ServerCommand): Promise<ServerProcess> {
  const child = spawn(command.file, command.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  guardChild(child);
  await untilReady(child, command);
  // From here on nobody reads the log, but the pipe must be drained, or the server blocks on a full one.
  for (const stream of [child.stdout, child.stderr]) {
    stream.resume();
    (stream as unknown as { unref(): void }).unref();
  }
  child.unref();
  return new ServerProcess(child);
}

function untilReady(child: ChildProcess, { file, readyText, readyTimeoutMs = 30_000 }: ServerCommand): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => {
      settle();
      child.kill('SIGKILL');
      reject(new Error(`${file} ${why}. Its output ends with:\n${output.slice(-2000)}`));
    };
    const onData = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-20_000);
      if (!output.includes(readyText)) return;
      settle();
      resolve();
    };
    const onExit = (code: number | null, signal: string | null) => fail(`ended before it was ready (${signal ?? `exit code ${code}`})`);
    const onError = (error: Error) => fail(`could not be started (${error.message})`);
    const timer = setTimeout(() => fail(`was not ready after ${readyTimeoutMs} ms`), readyTimeoutMs);
    function settle(): void {
      clearTimeout(timer);
      child.stdout?.off('data', onData);
      child.stderr?.off('data', onData);
      child.off('exit', onExit);
      child.off('error', onError);
      child.on('error', () => undefined);
    }
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    child.once('exit', onExit);
    child.once('error', onError);
  });
}

export class ServerProcess {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Sends the signal and resolves when the process is gone; SIGKILL after `timeoutMs`. Nothing happens when it is gone already. */
  async end(signal: NodeJS.Signals, timeoutMs = 10_000): Promise<void> {
    if (this.hasEnded) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
      this.#child.ref();
      this.#child.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      this.#child.kill(signal);
    });
  }
}
