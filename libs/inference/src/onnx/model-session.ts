import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findBackend } from '../ort/find-backend.js';
import { openOrtSession } from '../ort/open-ort-session.js';
import { ownMemory, runsOnDevice } from '../ort/own-memory.js';
import { type OrtSession, type OrtSessionOptions, type OrtTensor } from '../ort/ort-session.js';
import { uploadTensor } from '../ort/upload-tensor.js';
import { type BatchAdapter, DecodeBatch, type DecodeBatchOptions } from './decode/decode-batch.js';
import { ADAPTER_MIN_ROWS, type DecodeRules, decodeRules } from './decode/decode-rules.js';
import { type SlotShape, slotBytes } from './decode/kv-slots.js';
import { SlotDecoder } from './decode/slot-decoder.js';
import { leastRows } from './decode/step-sizes.js';
import { type DecoderLayout } from './decoder-layout.js';
import { locateExternalWeights } from './external-weights.js';
import { checkProviderFit } from './provider-fit.js';
import { encodeOnnx, type OnnxModel, parseOnnx } from './graph/onnx-model.js';
import { opset } from './graph/opset.js';
import { addSamplingHead, SAMPLING_HEAD_OPSET } from './graph/sampling-head.js';
import { type GraphSummary } from './graph-summary.js';
import { adapterTensors } from './lora/adapter-tensors.js';
import { injectLora, type LoraMode } from './lora/inject-lora.js';
import { type LoraSite } from './lora/lora-sites.js';
import { type PeftAdapter } from './lora/peft-adapter.js';
import { type ProbeVerdict } from './probe/probe-verdict.js';
import { tightenRules } from './probe/tighten-rules.js';
import { WeightFiles } from './weight-files.js';

export interface ModelSessionOptions extends Pick<OrtSessionOptions, 'threads' | 'backend' | 'provider'> {
  /** The graph gets places for adapters. */
  readonly takesAdapters: boolean;
  /** Most samples that are decoded together. A step may have more rows, filled up with ones that nobody wants. */
  readonly maxBatch: number;
}

/** What of a session is not the runtime's. */
interface SessionParts extends Pick<ModelSessionOptions, 'maxBatch'> {
  readonly sites: readonly LoraSite[];
  readonly mode: LoraMode;
  readonly weightFiles: WeightFiles;
}

interface HeldAdapter {
  readonly adapter: BatchAdapter;
  readonly tensors: readonly OrtTensor[];
  readonly bytes: number;
}

/** One graph in the runtime, for the model and all of its adapters: weights are loaded once, adapters are fed. */
export class ModelSession {
  readonly layout: DecoderLayout;
  readonly session: OrtSession;
  /** Once they were written to, what it computes is nobody's answer. */
  readonly weightFiles: WeightFiles;
  /** Most samples that are decoded together. */
  readonly maxBatch: number;
  readonly #sites: readonly LoraSite[];
  readonly #mode: LoraMode;
  /** In the order of their last use. */
  readonly #adapters = new Map<string | null, HeldAdapter>();
  #rules: DecodeRules;
  #adapterMinRows = ADAPTER_MIN_ROWS;
  #batch: DecodeBatch | null = null;
  #batchBytes = 0;

  /** @throws OrtError, UnsupportedModelError */
  static async open(graphPath: string, summary: GraphSummary, options: ModelSessionOptions): Promise<ModelSession> {
    const { takesAdapters, maxBatch, ...sessionOptions } = options;
    checkProviderFit(summary.layout, options.provider ?? { kind: 'cpu' });
    // Checked first: it costs nothing, and a session does.
    const rules = decodeRules(summary.layout, { onDevice: runsOnDevice(options.provider), maxBatch });
    const { backend } = await findBackend(options);
    const mode: LoraMode = backend === 'ort-c' ? 'overridable' : 'required';
    const isOnDevice = backend === 'ort-c' && ownMemory(options.provider) !== null;
    // Before the runtime opens them: what is written from now on is noticed.
    const weightFiles = await WeightFiles.open(summary.externalFiles.map((file) => join(dirname(graphPath), file)));
    try {
      if (!takesAdapters && !isOnDevice) {
        const session = await openOrtSession(graphPath, sessionOptions);
        return new ModelSession(session, summary.layout, rules, { sites: [], mode, maxBatch, weightFiles });
      }
      const keys = new Set(takesAdapters ? summary.loraSites.sites.keys() : []);
      const { model, sites } = injectLora(parseOnnx(await readFile(graphPath)), keys, mode);
      const located = await locateExternalWeights(isOnDevice ? withSamplingHead(model, summary.layout) : model, graphPath);
      const session = await openOrtSession(encodeOnnx(located.model), { ...sessionOptions, baseFolder: located.folder });
      return new ModelSession(session, summary.layout, rules, { sites, mode, maxBatch, weightFiles });
    } catch (error) {
      await weightFiles.close();
      throw error;
    }
  }

  private constructor(session: OrtSession, layout: DecoderLayout, rules: DecodeRules, parts: SessionParts) {
    this.session = session;
    this.layout = layout;
    this.#rules = rules;
    this.#sites = parts.sites;
    this.#mode = parts.mode;
    this.weightFiles = parts.weightFiles;
    this.maxBatch = parts.maxBatch;
  }

  /** By the graph, the provider and the number of samples and, once it was probed, by what was measured. */
  get rules(): DecodeRules {
    return this.#rules;
  }

  /** Fewest rows of a step with an adapter. */
  get adapterMinRows(): number {
    return leastRows(this.#adapterMinRows, this.#rules);
  }

  /** From now on rows are decoded as a probe has found that they must be. Before the first slots. */
  follow(verdict: ProbeVerdict): void {
    this.#rules = tightenRules(this.#rules, verdict);
    this.#adapterMinRows = Math.max(ADAPTER_MIN_ROWS, verdict.adapterMinRows ?? 0);
  }

  get takesAdapters(): boolean {
    return this.#sites.length > 0;
  }

  /** The slots and what they hold; null while there are none. */
  get batch(): DecodeBatch | null {
    return this.#batch;
  }

  /** Bytes of the slots. */
  get batchBytes(): number {
    return this.#batchBytes;
  }

  /** Bytes of the adapters that are held. */
  get adapterBytes(): number {
    let bytes = 0;
    for (const held of this.#adapters.values()) bytes += held.bytes;
    return bytes;
  }

  /** Bytes that one slot takes. */
  slotBytes(width: number): number {
    return slotBytes(this.layout, this.rules, width);
  }

  /** Replaces the slots. @throws RangeError or OrtError when there is not enough memory; then there are none. */
  openBatch(shape: SlotShape, options: DecodeBatchOptions): DecodeBatch {
    this.closeBatch();
    const decoder = new SlotDecoder(this.session, this.layout, this.rules, shape);
    const checkWeights = () => this.weightFiles.check();
    this.#batch = new DecodeBatch(decoder, { ...options, checkWeights }, this.maxBatch);
    this.#batchBytes = shape.slots * this.slotBytes(shape.width);
    return this.#batch;
  }

  closeBatch(): void {
    this.#batch?.release();
    this.#batch = null;
    this.#batchBytes = 0;
  }

  /** What runs are fed for an adapter; kept until it is dropped. @param key null = the model as it is. */
  async adapter(key: string | null, read: () => Promise<PeftAdapter>): Promise<BatchAdapter> {
    const held = this.#adapters.get(key) ?? (await this.#hold(key, key === null ? null : await read()));
    this.#adapters.delete(key);
    this.#adapters.set(key, held);
    return held.adapter;
  }

  /** Drops the adapter that was not used for the longest time, but none of `used`. False: there is none. */
  dropOldestAdapter(used: ReadonlySet<string | null>): boolean {
    const oldest = [...this.#adapters.keys()].find((key) => key !== null && !used.has(key));
    if (oldest == null) return false;
    this.dropAdapter(oldest);
    return true;
  }

  dropAdapter(key: string): void {
    for (const tensor of this.#adapters.get(key)?.tensors ?? []) tensor.release();
    this.#adapters.delete(key);
  }

  async close(): Promise<void> {
    try {
      this.closeBatch();
      await this.session.close();
    } finally {
      await this.weightFiles.close();
    }
  }

  /** Brings it to where the provider computes, once. */
  async #hold(key: string | null, adapter: PeftAdapter | null): Promise<HeldAdapter> {
    const feeds: Record<string, OrtTensor> = {};
    // The runtime's WebGPU ends the process over a tensor without elements.
    const leastRank = this.session.provider === 'webgpu' ? 1 : 0;
    let bytes = 0;
    try {
      for (const [name, { type, dims, data }] of adapterTensors(adapter, this.#sites, this.#mode, leastRank)) {
        feeds[name] = await uploadTensor(this.session, type, dims, data as never);
        bytes += data.byteLength;
      }
    } catch (error) {
      for (const tensor of Object.values(feeds)) tensor.release();
      throw error;
    }
    const minRows = key === null ? 1 : this.#adapterMinRows;
    return { adapter: { key, feeds, minRows }, tensors: Object.values(feeds), bytes };
  }
}

/** Enough for the settings that are usual; with their tokens, 3 KiB a row. */
const CANDIDATES = 256;

/** In an older opset the graph stays as it is, and all logits are fetched. */
function withSamplingHead(model: OnnxModel, { logits }: DecoderLayout): OnnxModel {
  if (opset(model) < SAMPLING_HEAD_OPSET) return model;
  return addSamplingHead(model, logits.name, Math.min(CANDIDATES, logits.vocabulary!));
}
