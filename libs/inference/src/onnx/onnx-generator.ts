import { performance } from 'node:perf_hooks';
import { type FrozenModelTarget, type FrozenTarget, KilnError } from '@kiln/contracts';
import { targetHash } from '@kiln/provenance';
import { FileMemo } from '../file-memo.js';
import { type Generator, type LoadedTarget, type SampleRequest, type SampleResult } from '../generator.js';
import { ResultChannel } from '../result-channel.js';
import { Completion } from './decode/completion.js';
import { decodeGroup } from './decode/decode-group.js';
import { onnxExecutionProvenance } from './execution-provenance.js';
import { loadModel } from './load-model.js';
import { type LoadedModel } from './loaded-model.js';
import { type PreparedPrompt, preparePrompt } from './prepare-prompt.js';

export interface OnnxGeneratorOptions {
  modelDir: string;
  /** Threads of the runtime, per step. */
  threads: number;
  /** Most rows that are decoded together. */
  maxRows?: number;
  /** Called after each run of the graph. */
  onProgress?: () => void;
}

interface PendingSample {
  id: string;
  model: LoadedModel;
  prompt: PreparedPrompt;
  completion: Completion;
  isCancelled: () => boolean;
  /** Called once; null = cancelled, so that there is no result. */
  finish: (result: SampleResult | null) => void;
}

const DEFAULT_MAX_ROWS = 32;

/**
 * Local language models through ONNX Runtime. Samples of all calls wait in one line; the oldest is decoded together with
 * those behind it that have the same model, adapter and prompt length.
 */
export class OnnxGenerator implements Generator {
  readonly #options: Required<OnnxGeneratorOptions>;
  readonly #memo = new FileMemo();
  readonly #models = new Map<string, Promise<LoadedModel>>();
  #pending: PendingSample[] = [];
  #decoding = false;

  constructor(options: OnnxGeneratorOptions) {
    this.#options = { maxRows: DEFAULT_MAX_ROWS, onProgress: () => {}, ...options };
  }

  async load(target: FrozenTarget): Promise<LoadedTarget> {
    const { modelDir, threads } = this.#options;
    const model = requireOnnx(target);
    const key = targetHash(target);
    let loading = this.#models.get(key);
    if (loading === undefined) {
      loading = loadModel(model, { modelDir, threads, memo: this.#memo });
      this.#models.set(key, loading);
      loading.catch(() => this.#models.delete(key));
    }
    const { reader } = await loading;
    return { provenance: onnxExecutionProvenance(threads), contextTokens: reader.contextTokens };
  }

  async unload(target: FrozenTarget): Promise<void> {
    const key = targetHash(target);
    const loaded = this.#models.get(key);
    this.#models.delete(key);
    await (await loaded)?.close();
  }

  generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncIterable<SampleResult> {
    let left = samples.length;
    let abandoned = false;
    const channel = new ResultChannel<SampleResult>({ onAbandoned: () => (abandoned = true) });
    const isCancelled = () => abandoned || signal.aborted;
    const finish = (result: SampleResult | null) => {
      if (result !== null) channel.push(result);
      if (--left === 0) channel.end();
    };
    if (left === 0) channel.end();
    void this.#enqueue(samples, isCancelled, finish).catch((error: unknown) => channel.fail(error));
    return channel;
  }

  async close(): Promise<void> {
    const models = [...this.#models.values()];
    this.#models.clear();
    for (const model of models) await (await model.catch(() => null))?.close();
  }

  /** Prepares each sample and puts it in line. */
  async #enqueue(
    samples: readonly SampleRequest[],
    isCancelled: () => boolean,
    finish: (result: SampleResult | null) => void,
  ): Promise<void> {
    const models = new Map<FrozenTarget, LoadedModel>();
    for (const sample of samples) {
      const model = models.get(sample.target) ?? (await this.#loaded(sample.target));
      models.set(sample.target, model);
      const prompt = preparePrompt(sample, model.reader);
      if ('code' in prompt) {
        finish({ id: sample.id, ok: false, error: prompt });
        continue;
      }
      const completion = new Completion(sample, prompt, model.endTokens);
      this.#pending.push({ id: sample.id, model, prompt, completion, isCancelled, finish });
    }
    void this.#decodePending();
  }

  async #loaded(target: FrozenTarget): Promise<LoadedModel> {
    const model = this.#models.get(targetHash(target));
    if (model === undefined) throw new KilnError('target_not_served', 'the target is not loaded');
    return model;
  }

  async #decodePending(): Promise<void> {
    if (this.#decoding) return;
    this.#decoding = true;
    try {
      while (this.#pending.length > 0) await this.#decodeGroup(this.#takeGroup());
    } finally {
      this.#decoding = false;
    }
  }

  /** The oldest sample, and those behind it that can be decoded with it. */
  #takeGroup(): PendingSample[] {
    const [first] = this.#pending;
    const group: PendingSample[] = [];
    const rest: PendingSample[] = [];
    for (const sample of this.#pending) {
      const fits = sample.model === first!.model && sample.prompt.tokens.length === first!.prompt.tokens.length;
      (fits && group.length < this.#options.maxRows ? group : rest).push(sample);
    }
    this.#pending = rest;
    return group;
  }

  async #decodeGroup(group: readonly PendingSample[]): Promise<void> {
    const { decoder, minRows } = group[0]!.model;
    const unfinished = new Set(group);
    const end = (sample: PendingSample, result: SampleResult | null) => {
      if (unfinished.delete(sample)) sample.finish(result);
    };
    const jobs = group.map((sample) => ({
      completion: sample.completion,
      promptTokens: sample.prompt.tokens,
      isCancelled: sample.isCancelled,
      finish: () => end(sample, sample.completion.result(performance.now())),
    }));
    const options = { minRows, now: () => performance.now(), onProgress: this.#options.onProgress };
    try {
      await group[0]!.model.using(() => decodeGroup(decoder, jobs, options));
    } catch (error) {
      const message = `the runtime failed: ${(error as Error).message}`;
      for (const sample of unfinished)
        end(sample, { id: sample.id, ok: false, error: { code: 'runtime_failed', message, retryable: true } });
    }
    for (const sample of unfinished) end(sample, null);
  }
}

function requireOnnx(target: FrozenTarget): FrozenModelTarget {
  if (target.kind === 'model' && target.engine === 'onnx') return target;
  throw new KilnError('target_not_served', 'only local ONNX models are served here');
}
