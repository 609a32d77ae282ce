import ort from 'onnxruntime-node';
import { type DecoderLayout, type FloatType, type IntegerPort } from '../../onnx/decoder-layout.js';
import { fromHalf } from '../../onnx/graph/half-float.js';
import { type LoraTensor } from '../../onnx/lora/adapter-tensors.js';

export interface LayoutState {
  length: number;
  tensors: Record<string, ort.Tensor>;
}

/** Runs a graph with nothing but its layout: the plainest use of every field, one row at a time. */
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

  empty(): LayoutState {
    const { cache, states } = this.#layout;
    const caches = cache.map(({ past, type, heads, headSize }) => [past, zeros(type, [1, heads, 0, headSize])]);
    return {
      length: 0,
      tensors: Object.fromEntries([...caches, ...states.map(({ past, type, shape }) => [past, zeros(type, [1, ...shape])])]),
    };
  }

  /** The last position's logits, and the state after `tokens`. */
  async run(tokens: readonly number[], past: LayoutState = this.empty()): Promise<{ logits: Float32Array; state: LayoutState }> {
    const { inputIds, attentionMask, positionIds, logitsToKeep, logits, cache, states } = this.#layout;
    const length = past.length + tokens.length;
    const feeds: Record<string, ort.Tensor> = { ...this.#constant, ...past.tensors };
    const feed = (port: IntegerPort | null, values: readonly number[], shape: number[]) => {
      if (port !== null) feeds[port.name] = integers(port, values, shape);
    };
    const positions = tokens.map((_, index) => past.length + index);
    const planes = positionIds?.planes ?? null;
    feed(inputIds, tokens, [1, tokens.length]);
    feed(attentionMask, Array<number>(length).fill(1), [1, length]);
    feed(positionIds, Array.from({ length: planes ?? 1 }, () => positions).flat(), [
      ...(planes === null ? [] : [planes]),
      1,
      tokens.length,
    ]);
    feed(logitsToKeep, [1], logitsToKeep?.shape ?? []);
    const outputs = await this.#session.run(feeds);
    const { data, dims } = outputs[logits.name]!;
    const last = (data as Float32Array | Uint16Array).slice(-dims[2]!);
    return {
      logits: last instanceof Float32Array ? last : Float32Array.from(last, fromHalf),
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
