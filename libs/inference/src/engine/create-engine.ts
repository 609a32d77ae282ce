import { type FrozenTarget, KilnError } from '@kiln/contracts';
import { type Generator, type LoadedTarget, type SampleRequest, type SampleResult } from '../generator.js';
import { DEFAULT_MAX_BATCH } from '../onnx/default-max-batch.js';
import { type Provider } from '../ort/ort-session.js';
import { ResultChannel } from '../result-channel.js';
import { type GeneratorKind } from './child-options.js';
import { type EngineCrashed } from './engine-crashed.js';
import { EngineProcess } from './engine-process.js';

export interface EngineOptions {
  /** Kinds of generator that may be used; each gets a child process when it is first needed. */
  kinds: readonly GeneratorKind[];
  /** The directory of the models (KILN_MODEL_DIR). */
  modelDir: string;
  /** Where local models are computed. Default: on the CPU. */
  provider?: Provider;
  /** Threads of the ONNX runtime, per step. Default 1. */
  threads?: number;
  /** Most samples that a local model decodes together. Default 32. */
  maxBatch?: number;
  /** Most bytes of keys and values. Default: by the memory of the machine or, with CUDA, of the device. */
  kvCacheBytes?: number | null;
  /** Most bytes of weights that stay loaded after their last use. Default: likewise. */
  weightCacheBytes?: number | null;
  /** Environment variables that endpoint targets may name as their key. Default: names that end in KEY or TOKEN. */
  allowedKeys?: string[] | null;
  /** How much longer than a sample's deadline a child may be silent before it is killed. Default 10 s. */
  hangGraceMs?: number;
  /** Longest time for a child to come up, and for a target to load. Default 10 minutes: weights are read and hashed. */
  loadTimeoutMs?: number;
  /** A child ended by itself, or was killed because it hung. */
  onCrash?: (crash: EngineCrashed) => void;
  /** What children write to standard error. */
  onStderr?: (kind: GeneratorKind, text: string) => void;
}

/** All generators behind one port, each kind in a child process. */
export interface Engine extends Generator {
  /** Forks the child of a kind now, which otherwise happens when it is first needed. @throws EngineCrashed with the reason when it does not come up. */
  start(kind: GeneratorKind): Promise<void>;
  /** Process ids of the children that are up. */
  pids(): Partial<Record<GeneratorKind, number>>;
}

/**
 * Makes the engine of a worker. Forks nothing yet. Targets of a kind that is not among `kinds` are refused with KilnError
 * `target_not_served`.
 */
export function createEngine(options: EngineOptions): Engine {
  const processes = new Map(options.kinds.map((kind) => [kind, startProcess(kind, options)]));
  const processOf = (target: FrozenTarget): EngineProcess => {
    const kind = generatorKindOf(target);
    const process = processes.get(kind);
    if (process === undefined) throw new KilnError('target_not_served', `this worker does not serve targets of the kind ${kind}`);
    return process;
  };
  return {
    start: async (kind: GeneratorKind): Promise<void> => processes.get(kind)?.start(),
    load: async (target: FrozenTarget): Promise<LoadedTarget> => processOf(target).load(target),
    unload: async (target: FrozenTarget): Promise<void> => processOf(target).unload(target),
    generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncIterable<SampleResult> {
      const byProcess = new Map<EngineProcess, SampleRequest[]>();
      for (const sample of samples) {
        const process = processOf(sample.target);
        const own = byProcess.get(process);
        if (own === undefined) byProcess.set(process, [sample]);
        else own.push(sample);
      }
      const streams = [...byProcess].map(([process, own]) => process.generate(own, signal));
      return streams.length === 1 ? streams[0]! : merge(streams);
    },
    pids: () => Object.fromEntries([...processes].flatMap(([kind, { pid }]) => (pid === undefined ? [] : [[kind, pid]]))),
    close: async () => void (await Promise.all([...processes.values()].map((process) => process.close()))),
  };
}

function startProcess(kind: GeneratorKind, options: EngineOptions): EngineProcess {
  return new EngineProcess({
    kind,
    modelDir: options.modelDir,
    provider: options.provider ?? { kind: 'cpu' },
    threads: options.threads ?? 1,
    maxBatch: options.maxBatch ?? DEFAULT_MAX_BATCH,
    kvCacheBytes: options.kvCacheBytes ?? null,
    weightCacheBytes: options.weightCacheBytes ?? null,
    allowedKeys: options.allowedKeys ?? null,
    hangGraceMs: options.hangGraceMs ?? 10_000,
    loadTimeoutMs: options.loadTimeoutMs ?? 600_000,
    onCrash: options.onCrash ?? (() => {}),
    onStderr: (text) => options.onStderr?.(kind, text),
  });
}

/** Which generator serves a target. */
export function generatorKindOf(target: FrozenTarget): GeneratorKind {
  return target.kind === 'endpoint' ? 'openai' : target.engine;
}

/** Results of several streams as they come. Samples of one call are rarely of different kinds. */
function merge(streams: readonly AsyncIterable<SampleResult>[]): AsyncIterable<SampleResult> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  const channel = new ResultChannel<SampleResult>({ onAbandoned: () => iterators.forEach((iterator) => void iterator.return?.()) });
  const copies = iterators.map(async (iterator) => {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) channel.push(next.value);
  });
  Promise.all(copies).then(
    () => channel.end(),
    (error: unknown) => channel.fail(error),
  );
  return channel;
}
