import { type InferenceSession, type Tensor } from 'onnxruntime-node';
import ort from 'onnxruntime-node';
import { type DecoderLayout } from '../decoder-layout.js';
import { fromHalf } from '../graph/half-float.js';
import { emptyCache, type KvCache } from './kv-cache.js';

export interface DecoderOutput {
  /** The logits of each row's last position. */
  logits: Float32Array[];
  cache: KvCache;
}

/** Runs a decoder graph. Knows tensors; nothing of text, sampling or requests. */
export class Decoder {
  readonly layout: DecoderLayout;
  readonly #session: InferenceSession;
  readonly #adapterFeeds: Readonly<Record<string, Tensor>>;

  constructor(session: InferenceSession, layout: DecoderLayout, adapterFeeds: Readonly<Record<string, Tensor>> = {}) {
    this.#session = session;
    this.layout = layout;
    this.#adapterFeeds = adapterFeeds;
  }

  /** Reads a whole prompt (at least one token), one row. */
  prefill(tokens: readonly number[]): Promise<DecoderOutput> {
    return this.#run(tokens, 1, emptyCache(this.layout));
  }

  /** Appends one token to each row of `cache`, which is left as it was. */
  step(tokens: readonly number[], cache: KvCache): Promise<DecoderOutput> {
    return this.#run(tokens, cache.rows, cache);
  }

  release(): Promise<void> {
    return this.#session.release();
  }

  async #run(tokens: readonly number[], rows: number, past: KvCache): Promise<DecoderOutput> {
    const { layout } = this;
    const fresh = tokens.length / rows;
    const length = past.length + fresh;
    const feeds: Record<string, Tensor> = { ...this.#adapterFeeds, input_ids: integers(tokens, [rows, fresh]) };
    if (layout.attentionMask !== null)
      feeds['attention_mask'] = new ort.Tensor('int64', new BigInt64Array(rows * length).fill(1n), [rows, length]);
    if (layout.positionIds !== null) {
      const positions = Array.from({ length: tokens.length }, (_, index) => past.length + (index % fresh));
      feeds['position_ids'] = integers(positions, [rows, fresh]);
    }
    if (layout.logitsToKeep !== null) feeds[layout.logitsToKeep.name] = integers([1], layout.logitsToKeep.shape);
    for (const [name, tensor] of past.tensors) feeds[name] = tensor;

    const outputs = await this.#session.run(feeds);
    const tensors = layout.cache.map((port) => [port.past, outputs[port.present]!] as const);
    return { logits: lastLogits(outputs['logits']!, rows), cache: { rows, length, tensors: new Map(tensors) } };
  }
}

/** The last position of each row, as float32. Graphs return one position per row or all of them. */
function lastLogits(logits: Tensor, rows: number): Float32Array[] {
  const [, positions, vocabulary] = logits.dims as [number, number, number];
  return Array.from({ length: rows }, (_, row) => {
    const end = (row + 1) * positions * vocabulary;
    const last = (logits.data as Float32Array | Uint16Array).subarray(end - vocabulary, end);
    return last instanceof Float32Array ? last : Float32Array.from(last, fromHalf);
  });
}

function integers(values: readonly number[], shape: readonly number[]): Tensor {
  return new ort.Tensor('int64', BigInt64Array.from(values, BigInt), shape);
}
