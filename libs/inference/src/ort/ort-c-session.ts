import { BaseSession, type Named } from './base-session.js';
import { copyGraph } from './copy-graph.js';
import { NativeObject } from './native-object.js';
import { newSessionOptions } from './ort-c-options.js';
import { ELEMENTS, type OrtElement } from './ort-element.js';
import { type OrtLibrary } from './ort-library.js';
import { type OrtSessionOptions, type OrtTensor } from './ort-session.js';
import { ownMemory } from './own-memory.js';
import { newNatives, type SessionNatives } from './session-natives.js';
import { type SessionTensor, type TensorValue } from './session-tensor.js';
import { type TensorMemory } from './tensor-memory.js';

type Bound = Map<string, SessionTensor<OrtElement, NativeObject>>;

/** A session over the C API. */
export class OrtCSession extends BaseSession<NativeObject> {
  override readonly backend = 'ort-c';
  readonly #library: OrtLibrary;
  readonly #natives: SessionNatives;
  readonly #options: OrtSessionOptions;
  readonly #copiers = new Map<OrtElement, OrtCSession>();
  /** What the native binding holds. It may name tensors that were released; the next run replaces them before it computes. */
  readonly #inputs: Bound = new Map();
  readonly #outputs: Bound = new Map();

  /** Loads a graph on a thread of libuv's pool. @throws OrtError */
  static async open(library: OrtLibrary, graph: string | Uint8Array, options: OrtSessionOptions): Promise<OrtCSession> {
    const { call } = library;
    const sessionOptions = newSessionOptions(library, options);
    try {
      const address = await library.outAsync((out, done) => {
        if (typeof graph === 'string') call.CreateSession.async(library.env, graph, sessionOptions.address, out, done);
        else call.CreateSessionFromArray.async(library.env, graph, graph.length, sessionOptions.address, out, done);
      });
      return new OrtCSession(library, newNatives(library, address, ownMemory(options.provider)), options);
    } finally {
      sessionOptions.release();
    }
  }

  private constructor(library: OrtLibrary, natives: SessionNatives, options: OrtSessionOptions) {
    const hasOwnMemory = natives.device !== null;
    super({ backendReason: 'the C API loads', provider: options.provider?.kind ?? 'cpu', hasOwnMemory, ...natives.specs });
    this.#library = library;
    this.#options = options;
    this.#natives = natives;
  }

  override newDeviceTensor<T extends OrtElement>(type: T, shape: readonly number[]): OrtTensor<T> {
    const { device } = this.#natives;
    if (device === null) return this.newTensor(type, shape);
    this.refuseWhenClosed();
    const { call } = this.#library;
    const value = this.#library.own('tensor', call.ReleaseValue, (out) =>
      call.CreateTensorAsOrtValue(device.allocator.address, toInt64(shape), shape.length, ELEMENTS[type].code, out),
    );
    // Null for a tensor without elements.
    const address = this.#library.out<bigint | null>((out) => call.GetTensorMutableData(value.address, out as [bigint | null])) ?? 0n;
    return this.register({ type, shape, memory: { kind: 'device', address }, firstByte: 0, parent: null, value });
  }

  protected override isValue(value: TensorValue): value is NativeObject {
    return value instanceof NativeObject;
  }

  protected override newValue(type: OrtElement, shape: readonly number[], memory: TensorMemory, firstByte: number): NativeObject {
    const { call, koffi } = this.#library;
    const { cpu, device } = this.#natives;
    const start = memory.kind === 'cpu' ? koffi.address(memory.buffer) : memory.address;
    const info = memory.kind === 'cpu' ? cpu : device!.info;
    const { code, bytes } = ELEMENTS[type];
    const size = shape.reduce((product, dim) => product * dim, bytes);
    const dims = toInt64(shape);
    return this.#library.own('tensor', call.ReleaseValue, (out) =>
      call.CreateTensorWithDataAsOrtValue(info.address, start + BigInt(firstByte), size, dims, shape.length, code, out),
    );
  }

  protected override async compute(
    feeds: readonly Named<NativeObject>[],
    fetches: readonly Named<NativeObject>[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { call } = this.#library;
    const { session, binding, runOptions, device } = this.#natives;
    this.#bind(this.#inputs, feeds, call.BindInput, call.ClearBoundInputs);
    this.#bind(this.#outputs, fetches, call.BindOutput, call.ClearBoundOutputs);
    if (device !== null) this.#library.check(call.SynchronizeBoundInputs(binding.address));

    const terminate = () => this.#library.check(call.RunOptionsSetTerminate(runOptions.address));
    signal?.addEventListener('abort', terminate, { once: true });
    try {
      await this.#library.asyncCall((done) => call.RunWithBinding.async(session.address, runOptions.address, binding.address, done));
    } catch (error) {
      // The runtime reports a stop as an error like any other.
      if (signal?.aborted !== true) throw error;
    } finally {
      signal?.removeEventListener('abort', terminate);
      if (signal?.aborted === true) this.#library.check(call.RunOptionsUnsetTerminate(runOptions.address));
    }
  }

  protected override async transfer(
    from: SessionTensor<OrtElement, NativeObject>,
    to: SessionTensor<OrtElement, NativeObject>,
  ): Promise<void> {
    if (from.memory === 'cpu' && to.memory === 'cpu') return super.transfer(from, to);
    const copier = await this.#copier(from.type);
    const vectors = [from, to].map((tensor) => this.view(tensor, [tensor.elements], 0));
    try {
      await copier.run({ from: vectors[0]! }, { to: vectors[1]! });
    } finally {
      for (const vector of vectors) vector.release();
    }
  }

  protected override async free(): Promise<void> {
    for (const copier of this.#copiers.values()) await copier.close();
    this.#natives.release();
  }

  /**
   * Binds what is not bound yet. On a device, binding a tensor of the CPU copies it there at once, so that those are bound
   * for each run; elsewhere the runtime reads and writes the memory itself, however often it changed.
   */
  #bind(
    bound: Bound,
    tensors: readonly Named<NativeObject>[],
    bind: (binding: bigint, name: string, value: bigint) => bigint | null,
    clear: (binding: bigint) => void,
  ): void {
    const binding = this.#natives.binding.address;
    const names = new Set(tensors.map(([name]) => name));
    if ([...bound.keys()].some((name) => !names.has(name))) {
      clear(binding);
      bound.clear();
    }
    for (const [name, tensor] of tensors) {
      const isBound = bound.get(name) === tensor && (this.#natives.device === null || tensor.memory === 'device');
      if (isBound) continue;
      bound.delete(name);
      this.#library.check(bind(binding, name, tensor.value.address));
      bound.set(name, tensor);
    }
  }

  /** A session for copies of a type, opened when it is first needed. @throws OrtError, and then tries again the next time. */
  async #copier(type: OrtElement): Promise<OrtCSession> {
    const copier = this.#copiers.get(type) ?? (await OrtCSession.open(this.#library, copyGraph(type), this.#options));
    this.#copiers.set(type, copier);
    return copier;
  }
}

function toInt64(shape: readonly number[]): BigInt64Array {
  return BigInt64Array.from(shape, BigInt);
}
