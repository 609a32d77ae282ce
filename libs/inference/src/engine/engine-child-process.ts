import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FrozenTarget, KilnError } from '@kiln/contracts';
import { compiledProgram } from '../compiled-program.js';
import { type LoadedTarget } from '../generator.js';
import { childEnvironment } from './child-environment.js';
import { type ChildOptions } from './child-options.js';
import { EngineCrashed } from './engine-crashed.js';
import { type BatchPart, type EngineReply, type EngineRequest, parseEngineReply, type ResultPart, type WireError } from './protocol.js';

export interface ChildEvents {
  onResults: (parts: readonly ResultPart[]) => void;
  onReleased: (call: number, samples: number) => void;
  /** The process is gone, asked to or not; every message that it sent has been delivered before. */
  onExit: (crash: EngineCrashed) => void;
  onStderr: (text: string) => void;
}

interface PendingRequest {
  settle: (reply: LoadedTarget | null) => void;
  reject: (error: Error) => void;
  sentAt: number;
}

const STDERR_TAIL = 4096;
/** How long the channel may stay open after its process has ended. */
const DRAIN_MS = 1000;
const CLOSE_GRACE_MS = 3000;
/** Megabytes of JavaScript heap. Tensors lie outside of it; a large vocabulary does not. */
const HEAP_MB = { echo: 256, openai: 512, onnx: 2048 } as const;

/** One engine child: its fork, its messages, its end. What is sent when is decided elsewhere. */
export class EngineChildProcess {
  /** The credits that the child grants; rejects with EngineCrashed when it does not come up. */
  readonly ready: Promise<number>;
  /** When the child was forked, and when it was last heard of, in milliseconds of `performance.now()`. */
  readonly startedAt = performance.now();
  lastHeardAt = this.startedAt;
  readonly #kind: ChildOptions['kind'];
  readonly #events: ChildEvents;
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #exit: Promise<EngineCrashed>;
  #grantCredits!: (credits: number) => void;
  #nextRequest = 1;
  #stderr = '';
  #hung = false;

  constructor(options: ChildOptions, events: ChildEvents) {
    this.#kind = options.kind;
    this.#events = events;
    this.#process = fork(compiledProgram('engine/engine-child.js'), [JSON.stringify(options)], {
      serialization: 'advanced',
      // oxlint-disable-next-line node/no-process-env -- all of it: the child is this program, and gets the keys of endpoints from there
      env: childEnvironment(options.kind, process.env),
      // Not the parent's own: a debugger's port or a test runner's loader would be inherited.
      execArgv: [`--max-old-space-size=${HEAP_MB[options.kind]}`, '--max-semi-space-size=4', '--enable-source-maps'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#process.stderr!.setEncoding('utf8').on('data', (text: string) => this.#keepStderr(text));
    this.#process.on('message', (message) => this.#receive(message));
    this.#exit = this.#watchExit();
    const granted = new Promise<number>((resolve) => (this.#grantCredits = resolve));
    this.ready = Promise.race([granted, this.#exit.then((crash) => Promise.reject(crash))]);
    this.ready.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** When the oldest unanswered load or unload was sent; null when there is none. */
  get oldestRequestAt(): number | null {
    for (const { sentAt } of this.#pending.values()) return sentAt;
    return null;
  }

  /** @throws KilnError that the child refused with, or EngineCrashed. */
  async load(target: FrozenTarget): Promise<LoadedTarget> {
    const loaded = await this.#request((request) => ({ type: 'load', request, target }));
    if (loaded === null) throw new KilnError('internal_error', 'the engine acknowledged a load without saying what it loaded');
    return loaded;
  }

  async unload(target: FrozenTarget): Promise<void> {
    await this.#request((request) => ({ type: 'unload', request, target }));
  }

  generate(parts: BatchPart[]): void {
    this.#send({ type: 'batch', parts });
  }

  cancel(call: number): void {
    this.#send({ type: 'cancel', call });
  }

  /** Ends it at once because it hangs. */
  killHung(): void {
    this.#hung = true;
    this.#process.kill('SIGKILL');
  }

  /** Asks it to end, insists after a while, and waits until it is gone. */
  async close(): Promise<void> {
    this.#send({ type: 'close' });
    const waiting = new AbortController();
    const insisted = sleep(CLOSE_GRACE_MS, undefined, { signal: waiting.signal }).then(
      () => void this.#process.kill('SIGKILL'),
      () => {},
    );
    await this.#exit;
    waiting.abort();
    await insisted;
  }

  #request(message: (request: number) => EngineRequest): Promise<LoadedTarget | null> {
    const request = this.#nextRequest++;
    return new Promise((settle, reject) => {
      this.#pending.set(request, { settle, reject, sentAt: performance.now() });
      this.#send(message(request));
    });
  }

  #send(message: EngineRequest): void {
    // A send may fail because the process has just ended, which its exit tells better.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  #receive(message: unknown): void {
    this.lastHeardAt = performance.now();
    let reply: EngineReply;
    try {
      reply = parseEngineReply(message);
    } catch (error) {
      this.#keepStderr(`${(error as Error).message}\n`);
      this.#process.kill('SIGKILL');
      return;
    }
    switch (reply.type) {
      case 'ready':
        return this.#grantCredits(reply.credits);
      case 'loaded':
        return this.#take(reply.request)?.settle(reply.loaded);
      case 'unloaded':
        return this.#take(reply.request)?.settle(null);
      case 'refused':
        return this.#take(reply.request)?.reject(fromWireError(reply.error));
      case 'results':
        return this.#events.onResults(reply.parts);
      case 'released':
        return this.#events.onReleased(reply.call, reply.samples);
      case 'progress':
        return;
    }
  }

  #take(request: number): PendingRequest | undefined {
    const pending = this.#pending.get(request);
    this.#pending.delete(request);
    return pending;
  }

  async #watchExit(): Promise<EngineCrashed> {
    const [exitCode, signal] = await Promise.race([
      once(this.#process, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
      // It could not be started at all.
      once(this.#process, 'error').then(([error]) => {
        this.#keepStderr((error as Error).message);
        return [null, null] as const;
      }),
    ]);
    // The exit may be noticed before the last messages are read.
    if (this.#process.connected) await Promise.race([once(this.#process, 'disconnect'), sleep(DRAIN_MS, undefined, { ref: false })]);
    const crash = new EngineCrashed(this.#kind, { exitCode, signal, hung: this.#hung, stderr: this.#stderr });
    for (const { reject } of this.#pending.values()) reject(crash);
    this.#pending.clear();
    this.#events.onExit(crash);
    return crash;
  }

  #keepStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    this.#events.onStderr(text);
  }
}

function fromWireError({ code, message, hint }: WireError): KilnError {
  return new KilnError(code, message, hint === null ? {} : { hint });
}
