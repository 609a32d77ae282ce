import { performance } from 'node:perf_hooks';
import { type FrozenTarget, KilnError } from '@kiln/contracts';
import { targetHash } from '@kiln/provenance';
import { type Generator, type LoadedTarget, type SampleRequest, type SampleResult } from '../generator.js';
import { type ChildOptions } from './child-options.js';
import { EngineCall } from './engine-call.js';
import { EngineChildProcess } from './engine-child-process.js';
import { EngineCrashed } from './engine-crashed.js';
import { type HangLimits, isHung } from './is-hung.js';
import { type LiveChild } from './live-child.js';
import { nextBatch } from './next-batch.js';
import { type ResultPart } from './protocol.js';

export interface EngineProcessOptions extends ChildOptions, HangLimits {
  /** A child ended by itself, or was killed because it hung. */
  onCrash: (crash: EngineCrashed) => void;
  onStderr: (text: string) => void;
}

const WATCH_INTERVAL_MS = 200;

/**
 * A generator in a child process of its own, as the supervisor sees it. The child is forked when it is first needed. When it ends
 * by itself, calls with samples in it fail with EngineCrashed, and calls that only waited go on with the next child.
 */
export class EngineProcess implements Generator {
  readonly #options: EngineProcessOptions;
  #live: LiveChild | null = null;
  #ready: Promise<LiveChild> | null = null;
  /** Those that have not ended, wherever they are. */
  readonly #calls = new Set<EngineCall>();
  #nextCall = 1;
  #pumping = false;
  #watch: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
  }

  /** The process id of the child, while there is one. */
  get pid(): number | undefined {
    return this.#live?.process.pid;
  }

  /** Brings up the child. @throws EngineCrashed when it does not come up. */
  async start(): Promise<void> {
    await this.#ensureChild();
  }

  async load(target: FrozenTarget): Promise<LoadedTarget> {
    return this.#loadOn(await this.#ensureChild(), target);
  }

  /** Nothing happens while a call still needs the target: what was promised to it holds, whoever else has loaded the same. */
  async unload(target: FrozenTarget): Promise<void> {
    const live = this.#live;
    const key = targetHash(target);
    for (const { unsentTargets } of this.#calls) for (const needed of unsentTargets) if (targetHash(needed) === key) return;
    if (live?.loads.delete(key)) await live.process.unload(target);
  }

  generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncIterable<SampleResult> {
    if (new Set(samples.map(({ id }) => id)).size !== samples.length) throw new TypeError('samples of one call must have distinct ids');
    const call: EngineCall = new EngineCall(this.#nextCall++, samples, {
      signal,
      onTaken: () => this.#pumpSoon(),
      onCancel: () => this.#cancel(call),
      onEnd: () => this.#calls.delete(call),
    });
    this.#calls.add(call);
    if (signal.aborted || samples.length === 0) call.end();
    else void this.#begin(call);
    return call.results;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const live = this.#live;
    for (const call of live?.calls.values() ?? []) call.fail(new KilnError('internal_error', 'the engine was closed'));
    await live?.process.close();
  }

  /** Finds the call a child that has its targets; then it takes its turns. */
  async #begin(call: EngineCall): Promise<void> {
    try {
      const live = await this.#ensureChild();
      for (const target of call.unsentTargets) {
        await this.#loadOn(live, target).catch((error: unknown) => {
          if (!(error instanceof KilnError)) throw error;
          call.failUnsent(target, { code: error.code, message: error.message, retryable: error.code === 'internal_error' });
        });
      }
      if (call.isEnded) return;
      // It may have ended while the last target was loading.
      if (this.#live !== live) return await this.#begin(call);
      if (call.isComplete) return call.end();
      live.calls.set(call.id, call);
      this.#pumpSoon();
    } catch (error) {
      call.fail(error);
    }
  }

  #loadOn(live: LiveChild, target: FrozenTarget): Promise<LoadedTarget> {
    const key = targetHash(target);
    const known = live.loads.get(key);
    if (known !== undefined) return known;
    const load = live.process.load(target);
    live.loads.set(key, load);
    load.catch(() => live.loads.delete(key));
    return load;
  }

  async #ensureChild(): Promise<LiveChild> {
    if (this.#closed) throw new KilnError('internal_error', 'the engine was closed');
    this.#ready ??= this.#fork();
    return this.#ready;
  }

  #fork(): Promise<LiveChild> {
    const live: LiveChild = {
      process: new EngineChildProcess(this.#options, {
        onResults: (parts) => this.#deliver(live, parts),
        onReleased: (call, samples) => this.#release(live, call, samples),
        onExit: (crash) => this.#onExit(live, crash),
        onStderr: this.#options.onStderr,
      }),
      credits: 0,
      loads: new Map(),
      calls: new Map(),
      cancelled: new Map(),
    };
    this.#live = live;
    this.#watch = setInterval(() => this.#killIfHung(live), WATCH_INTERVAL_MS).unref();
    return live.process.ready.then((credits) => {
      live.credits = credits;
      return live;
    });
  }

  /** Sends what there is room for, once per turn of the event loop: one message for all results taken in it. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (this.#live !== null) pump(this.#live);
    });
  }

  #deliver(live: LiveChild, parts: readonly ResultPart[]): void {
    for (const { call: id, results } of parts) {
      const call = live.calls.get(id);
      if (call === undefined) this.#release(live, id, results.length);
      else for (const result of results) call.deliver(result);
      if (call?.isComplete) {
        live.calls.delete(id);
        call.end();
      }
    }
    this.#pumpSoon();
  }

  #cancel(call: EngineCall): void {
    call.end();
    const live = this.#live;
    if (!live?.calls.delete(call.id) || call.outstanding === 0) return;
    live.cancelled.set(call.id, { call, samples: call.outstanding });
    live.process.cancel(call.id);
  }

  /** Samples of a cancelled call give their credits back. */
  #release(live: LiveChild, call: number, samples: number): void {
    const cancelled = live.cancelled.get(call);
    if (cancelled !== undefined && (cancelled.samples -= samples) <= 0) live.cancelled.delete(call);
    this.#pumpSoon();
  }

  #killIfHung(live: LiveChild): void {
    const now = performance.now();
    if (!isHung(live, this.#options, now)) return;
    // This process may have been busy itself: what the child has sent meanwhile is read before this runs.
    setTimeout(() => isHung(live, this.#options, now) && live.process.killHung(), 0);
  }

  #onExit(live: LiveChild, crash: EngineCrashed): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#live = this.#ready = null;
    if (!this.#closed) this.#options.onCrash(crash);
    for (const call of live.calls.values()) {
      if (call.outstanding > 0) call.fail(new EngineCrashed(this.#options.kind, crash, call.inFlight));
      else void this.#begin(call);
    }
  }
}

function pump({ process, credits, calls, cancelled }: LiveChild): void {
  let held = 0;
  for (const call of calls.values()) held += call.outstanding;
  for (const { samples } of cancelled.values()) held += samples;
  const parts = nextBatch(calls.values(), credits - held, credits, performance.now());
  if (parts.length === 0) return;
  process.generate(parts);
  // Who came first this time comes last next time.
  const [first] = calls.values();
  calls.delete(first!.id);
  calls.set(first!.id, first!);
}
