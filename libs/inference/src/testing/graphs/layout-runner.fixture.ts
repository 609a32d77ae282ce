import ort from 'onnxruntime-node';
import { type DecoderLayout, type FloatType, type IntegerPort } from '../../onnx/decoder-layout.js';
import { fromHalves } from '../../onnx/graph/half-float.js';
import { type LoraTensor } from '../../onnx/lora/adapter-tensors.js';

export interface LayoutState {
  length: number;
  tensors: Record<string, ort.Tensor>;
}

/** Runs a graph with nothing but its layout: the plainest use of every field. */
export class LayoutRunner {
  readonly #session: ort.InferenceSession;
  readonly #layout: DecoderLayout;
  readonly #constant: Record<string, ort.Tensor>;

  constructor(session: ort.InferenceSession, layout: DecoderLayout, adapter: ReadonlyMap<string, LoraTensor> = new Map()) {
    this.#session = session;
    this.#layout = layout;
    this.#constant = Object.fromEntries([...adapter].map(([name, { type, data, dims }]) => [name, new ort.Tensor(type, data, dims)]));
  }

  static async open(graph: string | Uint8Array, layout: DecoderLayout, adapter?: ReadonlyMap<string, LoraTensor>): Promise<LayoutRunner> {
    const options = { intraOpNumThreads: 1, logSeverityLevel: 3 } as const;
    // The two overloads take one of the types each.
    const session = typeof graph === 'string' ? ort.InferenceSession.create(graph, options) : ort.InferenceSession.create(graph, options);
    return new LayoutRunner(await session, layout, adapter);
  }

  empty(rows = 1): LayoutState {
    const { cache, states } = this.#layout;
    const caches = cache.map(({ past, type, heads, headSize }) => [past, zeros(type, [rows, heads, 0, headSize])]);
    return {
      length: 0,
      tensors: Object.fromEntries([...caches, ...states.map(({ past, type, shape }) => [past, zeros(type, [rows, ...shape])])]),
    };
  }

  /** The last position's logits, and the state after `tokens`. */
  async run(tokens: readonly number[], past: LayoutState = this.empty()): Promise<{ logits: Float32Array; state: LayoutState }> {
    const { logits, state } = await this.#run([tokens], past);
    return { logits: logits[0]!, state };
  }

  /** The last position's logits of prompts of equal length, read together. */
  async runRows(rows: readonly (readonly number[])[]): Promise<Float32Array[]> {
    return (await this.#run(rows, this.empty(rows.length))).logits;
  }

  async #run(rows: readonly (readonly number[])[], past: LayoutState): Promise<{ logits: Float32Array[]; state: LayoutState }> {
    const { inputIds, attentionMask, positionIds, logitsToKeep, logits, cache, states } = this.#layout;
    const fresh = rows[0]!.length;
    const length = past.length + fresh;
    const feeds: Record<string, ort.Tensor> = { ...this.#constant, ...past.tensors };
    const feed = (port: IntegerPort | null, values: readonly number[], shape: number[]) => {
      if (port !== null) feeds[port.name] = integers(port, values, shape);
    };
    const planes = positionIds?.planes ?? null;
    const positions = Array.from({ length: (planes ?? 1) * rows.length }, () => rows[0]!.map((_, index) => past.length + index)).flat();
    feed(inputIds, rows.flat(), [rows.length, fresh]);
    feed(attentionMask, Array<number>(rows.length * length).fill(1), [rows.length, length]);
    feed(positionIds, positions, [...(planes === null ? [] : [planes]), rows.length, fresh]);
    feed(logitsToKeep, [1], logitsToKeep?.shape ?? []);
    const outputs = await this.#session.run(feeds);
    const { data, dims } = outputs[logits.name]!;
    const [, kept, vocabulary] = dims as [number, number, number];
    const values = data instanceof Uint16Array ? fromHalves(data) : (data as Float32Array);
    return {
      logits: rows.map((_, row) => values.slice(((row + 1) * kept - 1) * vocabulary, (row + 1) * kept * vocabulary)),
      state: { length, tensors: Object.fromEntries([...cache, ...states].map((port) => [port.past, outputs[port.present]!])) },
    };
  }

  /** The most likely continuation. */
  async greedy(prompt: readonly number[], count: number): Promise<number[]> {
    const tokens: number[] = [];
    let { logits, state } = await this.run(prompt);
    while (tokens.length < count) {
      const token = logits.indexOf(Math.max(...logits));
      tokens.push(token);
      ({ logits, state } = await this.run([token], state));
    }
    return tokens;
  }

  release(): Promise<void> {
    return this.#session.release();
  }
}

function integers({ type }: IntegerPort, values: readonly number[], shape: number[]): ort.Tensor {
  return type === 'int64'
    ? new ort.Tensor(type, BigInt64Array.from(values, BigInt), shape)
    : new ort.Tensor(type, Int32Array.from(values), shape);
}

function zeros(type: FloatType, shape: number[]): ort.Tensor {
  const size = shape.reduce((product, dim) => product * dim, 1);
  return type === 'float16' ? new ort.Tensor(type, new Uint16Array(size), shape) : new ort.Tensor(type, new Float32Array(size), shape);
}
