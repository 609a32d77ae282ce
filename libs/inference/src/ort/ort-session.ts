import { type OrtArrays, type OrtElement } from './ort-element.js';

/** An input, output or initializer of a graph. */
export interface TensorSpec {
  readonly name: string;
  /** null: of a type that no tensor here can have. */
  readonly type: OrtElement | null;
  /** Sizes; a free dimension is its name, '' when it has none. */
  readonly shape: readonly (number | string)[];
}

/**
 * A tensor and the memory that it owns or, for a view, borrows. It is alive until `release()`, or the close of its session; from
 * then on everything that uses it throws. An array that was taken from `data` before stays valid memory, but nobody's.
 */
export interface OrtTensor<T extends OrtElement = OrtElement> {
  readonly type: T;
  readonly shape: readonly number[];
  /** Where the memory is: `device` only in a session that has memory of its own. */
  readonly memory: 'cpu' | 'device';
  /** The memory itself, not a copy. @throws Error when it is released, or on a device. */
  readonly data: OrtArrays[T];
  /**
   * Gives the tensor up. Once: a second call does nothing. Views of it are released first.
   * @throws Error while a run uses it: await the run.
   */
  release(): void;
}

export type OrtTensors = Readonly<Record<string, OrtTensor>>;

/** One graph, loaded to be run. */
export interface OrtSession {
  /** `ort-c`: the C API. `ort-js`: the JavaScript API, which copies results and blocks the event loop for each run. */
  readonly backend: 'ort-c' | 'ort-js';
  /** Why this backend, for a log or a provenance. */
  readonly backendReason: string;
  readonly provider: Provider['kind'];
  /** Whether `newDeviceTensor` gives other memory than the CPU's. */
  readonly hasOwnMemory: boolean;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  /**
   * Initializers that are also graph inputs: a run may replace them, and who does not feed them computes with the values in the graph.
   * Always empty on ort-js, which cannot feed them.
   */
  readonly initializers: readonly TensorSpec[];

  /** A tensor in CPU memory, filled with zeros or with a copy of `data`. @throws RangeError when `data` does not fit the shape. */
  newTensor<T extends OrtElement>(type: T, shape: readonly number[], data?: OrtArrays[T]): OrtTensor<T>;

  /** A tensor in the memory of the provider, zeros or not. The same as `newTensor` where that is the CPU's. */
  newDeviceTensor<T extends OrtElement>(type: T, shape: readonly number[]): OrtTensor<T>;

  /** A tensor over a part of another one's memory, from its element `first` on, such as some slots of a K/V buffer. */
  viewOf<T extends OrtElement>(tensor: OrtTensor<T>, shape: readonly number[], first?: number): OrtTensor<T>;

  /** Copies all elements between tensors of one type and size, wherever their memory is. Waits its turn among the runs. */
  copy(from: OrtTensor, to: OrtTensor): Promise<void>;

  /**
   * Computes. Results are written into the fetches' memory, which may be the feeds' own where the graph's operators allow it
   * (the past and present of GroupQueryAttention). Runs of one session happen one after another, in the order of the calls.
   * A process that exits meanwhile waits for the run: abort it first, or kill the process.
   * @param feeds every input, and those initializers that are to be replaced.
   * @param fetches any of the outputs, in the shape that the graph will give them.
   * @param signal stops the run between two operators; the fetches then hold anything.
   * @throws DOMException `AbortError` once `signal` is aborted, with its reason as cause; OrtError from the runtime;
   *   TypeError or RangeError, naming the tensor, for feeds and fetches that do not fit the graph.
   */
  run(feeds: OrtTensors, fetches: OrtTensors, signal?: AbortSignal): Promise<void>;

  /** Waits for the runs and frees everything, tensors included. A second call waits for the same. */
  close(): Promise<void>;
}

/** The runtime refused or failed; the message is its own. */
export class OrtError extends Error {
  override readonly name = 'OrtError';
}

export interface CpuProvider {
  readonly kind: 'cpu';
  /** Its memory is used as that of a device is, through the runtime alone: the path of a device, where there is none. For tests. */
  readonly asDevice?: boolean;
}

export interface CudaProvider {
  readonly kind: 'cuda';
  readonly deviceId: number;
}

/** Through Vulkan. Only on ort-js: keys and values go through the host with each run. */
export interface WebGpuProvider {
  readonly kind: 'webgpu';
}

export type Provider = CpuProvider | CudaProvider | WebGpuProvider;

export interface OrtSessionOptions {
  /** Threads within an operator. */
  readonly threads: number;
  /** Where weights outside a graph given as bytes are; for a path, it is the graph's own directory. */
  readonly baseFolder?: string;
  /** Only this backend; the default is `ort-c` where it loads. */
  readonly backend?: 'ort-c' | 'ort-js';
  readonly provider?: Provider;
}
