import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { type FrozenModelTarget, type FrozenTarget, KilnError } from '@kiln/contracts';
import { FileMemo } from '../file-memo.js';
import { type Generator, type LoadedTarget, type SampleRequest, type SampleResult } from '../generator.js';
import { plainFacts, type ProviderFacts } from '../ort/provider-facts.js';
import { ResultChannel } from '../result-channel.js';
import { Completion } from './decode/completion.js';
import { DecodeLine, type LineJob } from './decode/decode-line.js';
import { DEFAULT_MAX_BATCH } from './default-max-batch.js';
import { onnxExecutionProvenance } from './execution-provenance.js';
import { type LoadedModel } from './loaded-model.js';
import { memoryBudget } from './memory-budget.js';
import { ModelPool, type ModelPoolOptions } from './model-pool.js';
import { preparePrompt } from './prepare-prompt.js';

export interface OnnxGeneratorOptions extends Pick<ModelPoolOptions, 'modelDir' | 'threads' | 'backend' | 'provider'> {
  /** Most samples that are decoded together. Default 32. */
  maxBatch?: number;
  /** Default: by the memory of the device that `facts` tell of, or else of the machine. */
  budget?: Parameters<typeof memoryBudget>[0];
  /** What is known of the provider. Default: its name. */
  facts?: ProviderFacts;
  /** Called after each run of the graph. */
  onProgress?: () => void;
}

/** Samples between which others get a turn while prompts are rendered. */
const PREPARED_AT_ONCE = 16;

/** Local language models through ONNX Runtime. Samples of all calls wait in one line. */
export class OnnxGenerator implements Generator {
  readonly #threads: number;
  readonly #facts: ProviderFacts;
  readonly #pool: ModelPool;
  readonly #line: DecodeLine;
  #isClosed = false;

  constructor({ maxBatch = DEFAULT_MAX_BATCH, onProgress = () => {}, budget = {}, facts, ...options }: OnnxGeneratorOptions) {
    this.#threads = options.threads;
    this.#facts = facts ?? plainFacts(options.provider ?? { kind: 'cpu' });
    const bounds = memoryBudget(budget, this.#facts.deviceBytes);
    this.#pool = new ModelPool({ ...options, maxBatch, budget: bounds, memo: new FileMemo() });
    this.#line = new DecodeLine({ pool: this.#pool, kvCacheBytes: bounds.kvCacheBytes, now: () => performance.now(), onProgress });
  }

  async load(target: FrozenTarget): Promise<LoadedTarget> {
    const model = await this.#pool.load(requireOnnx(target));
    const provenance = onnxExecutionProvenance(this.#threads, this.#facts.provenance, this.#pool.execution(model));
    return { provenance, contextTokens: model.reader.contextTokens };
  }

  async unload(target: FrozenTarget): Promise<void> {
    await this.#pool.unload(target);
  }

  generate(samples: readonly SampleRequest[], signal: AbortSignal): AsyncIterable<SampleResult> {
    let left = samples.length;
    let abandoned = false;
    const isCancelled = () => abandoned || signal.aborted || this.#isClosed;
    const note = () => this.#line.noteCancelled();
    const channel = new ResultChannel<SampleResult>({
      onAbandoned: () => {
        abandoned = true;
        note();
      },
    });
    // One call may come in hundreds of parts with the same signal.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', note);
    const finish = (result: SampleResult | null) => {
      if (result !== null) channel.push(result);
      if (--left > 0) return;
      signal.removeEventListener('abort', note);
      channel.end();
    };
    if (left === 0) channel.end();
    else void this.#enqueue(samples, isCancelled, finish).catch((error: unknown) => channel.fail(error));
    return channel;
  }

  /** Gives up what is being decoded, and frees everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#line.noteCancelled();
    await this.#line.idle();
    await this.#pool.close();
  }

  /** Prepares each sample and puts it in line. */
  async #enqueue(
    samples: readonly SampleRequest[],
    isCancelled: () => boolean,
    finish: (result: SampleResult | null) => void,
  ): Promise<void> {
    // All of them first: a call whose target is not loaded fails as a whole.
    const models = new Map(samples.map(({ target }) => [target, this.#pool.get(target)]));
    for (let start = 0; start < samples.length; start += PREPARED_AT_ONCE) {
      const some = samples.slice(start, start + PREPARED_AT_ONCE);
      this.#line.add(some.flatMap((sample) => prepare(sample, models.get(sample.target)!, isCancelled, finish)));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function prepare(
  sample: SampleRequest,
  model: LoadedModel,
  isCancelled: () => boolean,
  finish: (result: SampleResult | null) => void,
): LineJob[] {
  const prompt = preparePrompt(sample, model.reader);
  if ('code' in prompt) {
    finish({ id: sample.id, ok: false, error: prompt });
    return [];
  }
  const completion = new Completion(sample, prompt, model.endTokens);
  return [
    {
      model,
      completion,
      promptTokens: prompt.tokens,
      maxTokens: prompt.maxTokens,
      isCancelled,
      finish: (how) => finish(how === 'over' ? completion.result(performance.now()) : null),
    },
  ];
}

function requireOnnx(target: FrozenTarget): FrozenModelTarget {
  if (target.kind === 'model' && target.engine === 'onnx') return target;
  throw new KilnError('target_not_served', 'only local ONNX models are served here');
}
