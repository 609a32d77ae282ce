import { checkComplete, checkTensor, getSpec, type Role } from './check-tensors.js';
import { elementCount, ELEMENTS, type OrtArrays, type OrtElement } from './ort-element.js';
import { type OrtSession, type OrtTensor, type OrtTensors, type Provider, type TensorSpec } from './ort-session.js';
import { RunQueue } from './run-queue.js';
import { SessionTensor, type TensorParts, type TensorValue } from './session-tensor.js';
import { newCpuMemory, type TensorMemory } from './tensor-memory.js';

export interface SessionFacts {
  readonly backendReason: string;
  readonly provider: Provider['kind'];
  readonly hasOwnMemory: boolean;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly initializers: readonly TensorSpec[];
}

/** A tensor under the name that the graph has for it. */
export type Named<V extends TensorValue> = readonly [name: string, tensor: SessionTensor<OrtElement, V>];

/** What the backends have in common: tensors and their owners, checks, and turns. `V` is the backend's handle of a tensor. */
export abstract class BaseSession<V extends TensorValue> implements OrtSession {
  abstract readonly backend: OrtSession['backend'];
  readonly backendReason: string;
  readonly provider: Provider['kind'];
  readonly hasOwnMemory: boolean;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly initializers: readonly TensorSpec[];
  readonly #feedable: ReadonlyMap<string, TensorSpec>;
  readonly #fetchable: ReadonlyMap<string, TensorSpec>;
  readonly #tensors = new Set<SessionTensor<OrtElement, V>>();
  readonly #queue = new RunQueue();
  #closing: Promise<void> | null = null;

  constructor({ backendReason, provider, hasOwnMemory, inputs, outputs, initializers }: SessionFacts) {
    this.backendReason = backendReason;
    this.provider = provider;
    this.hasOwnMemory = hasOwnMemory;
    this.inputs = inputs;
    this.outputs = outputs;
    this.initializers = initializers;
    this.#feedable = new Map([...inputs, ...initializers].map((spec) => [spec.name, spec]));
    this.#fetchable = new Map(outputs.map((spec) => [spec.name, spec]));
  }

  /** Computes with tensors that were checked and cannot be released meanwhile. */
  protected abstract compute(feeds: readonly Named<V>[], fetches: readonly Named<V>[], signal: AbortSignal | undefined): Promise<void>;
  protected abstract newValue(type: OrtElement, shape: readonly number[], memory: TensorMemory, firstByte: number): V;
  /** Frees what the backend has, after all tensors. */
  protected abstract free(): Promise<void>;

  newTensor<T extends OrtElement>(type: T, shape: readonly number[], data?: OrtArrays[T]): OrtTensor<T> {
    this.refuseWhenClosed();
    const { array, bytes } = ELEMENTS[type];
    const elements = elementCount(shape);
    if (data !== undefined && !(data instanceof array)) {
      throw new TypeError(`${type} is held by ${array.name}, not ${(data as object).constructor.name}`);
    }
    if (data !== undefined && data.length !== elements) {
      throw new RangeError(`${data.length} elements were given for the shape [${shape.join(', ')}]`);
    }
    const memory = newCpuMemory(elements * bytes);
    if (data !== undefined) new Uint8Array(memory.buffer).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return this.register({ type, shape, memory, firstByte: 0, parent: null });
  }

  newDeviceTensor<T extends OrtElement>(type: T, shape: readonly number[]): OrtTensor<T> {
    return this.newTensor(type, shape);
  }

  viewOf<T extends OrtElement>(tensor: OrtTensor<T>, shape: readonly number[], first = 0): OrtTensor<T> {
    this.refuseWhenClosed();
    const parent = this.own(tensor);
    const elements = elementCount(shape);
    if (!Number.isSafeInteger(first) || first < 0 || first + elements > parent.elements) {
      throw new RangeError(`${elements} elements from ${first} on are not within the ${parent.elements} of the tensor`);
    }
    return this.view(parent, shape, first);
  }

  async copy(from: OrtTensor, to: OrtTensor): Promise<void> {
    await this.#takeTurn([this.own(from), this.own(to)], async ([source, target]) => {
      if (source!.type !== target!.type) throw new TypeError(`cannot copy ${source!.type} to ${target!.type}`);
      if (source!.elements !== target!.elements) {
        throw new RangeError(`cannot copy ${source!.elements} elements to ${target!.elements}`);
      }
      await this.transfer(source!, target!);
    });
  }

  async run(feeds: OrtTensors, fetches: OrtTensors, signal?: AbortSignal): Promise<void> {
    checkComplete(this.inputs, feeds);
    const read = this.#named('input', this.#feedable, feeds);
    const written = this.#named('output', this.#fetchable, fetches);
    if (written.length === 0) throw new TypeError('a run fetches at least one output');
    const tensors = [...read, ...written].map(([, tensor]) => tensor);
    await this.#takeTurn(tensors, async () => {
      throwIfAborted(signal);
      await this.compute(read, written, signal);
      throwIfAborted(signal);
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  protected async transfer(from: SessionTensor<OrtElement, V>, to: SessionTensor<OrtElement, V>): Promise<void> {
    (to.data as Uint8Array).set(from.data as Uint8Array);
  }

  /** @throws TypeError for a tensor of the other backend. */
  protected own<T extends OrtElement>(tensor: OrtTensor<T>): SessionTensor<T, V> {
    if (!(tensor instanceof SessionTensor) || !this.isValue(tensor.value)) throw new TypeError('this tensor is not one of this backend');
    return tensor as SessionTensor<T, V>;
  }

  protected abstract isValue(value: TensorValue): value is V;

  protected view<T extends OrtElement>(parent: SessionTensor<T, V>, shape: readonly number[], first: number): OrtTensor<T> {
    const firstByte = parent.firstByte + first * ELEMENTS[parent.type].bytes;
    return this.register({ type: parent.type, shape, memory: parent.memoryOfTensor, firstByte, parent });
  }

  /** Makes the tensor, which is this session's from then on. `value` is given when the memory came with one. */
  protected register<T extends OrtElement>(
    parts: Pick<TensorParts<T, V>, 'type' | 'shape' | 'memory' | 'firstByte' | 'parent'> & { value?: V },
  ): OrtTensor<T> {
    const tensor: SessionTensor<T, V> = new SessionTensor({
      ...parts,
      value: parts.value ?? this.newValue(parts.type, parts.shape, parts.memory, parts.firstByte),
      onRelease: () => this.#tensors.delete(tensor as unknown as SessionTensor<OrtElement, V>),
    });
    this.#tensors.add(tensor as unknown as SessionTensor<OrtElement, V>);
    return tensor;
  }

  #named(role: Role, specs: ReadonlyMap<string, TensorSpec>, tensors: OrtTensors): Named<V>[] {
    return Object.entries(tensors).map(([name, tensor]) => {
      checkTensor(role, getSpec(role, specs, name), tensor);
      return [name, this.own(tensor)];
    });
  }

  /** The tensors are in use from the call on, not only from the turn on: a release in between would be one under a run. */
  async #takeTurn(
    tensors: readonly SessionTensor<OrtElement, V>[],
    task: (tensors: readonly SessionTensor<OrtElement, V>[]) => Promise<void>,
  ): Promise<void> {
    this.refuseWhenClosed();
    for (const tensor of tensors) tensor.use();
    await this.#queue.add(async () => {
      try {
        await task(tensors);
      } finally {
        for (const tensor of tensors) tensor.unuse();
      }
    });
  }

  protected refuseWhenClosed(): void {
    if (this.#closing !== null) throw new Error('this session is closed');
  }

  async #close(): Promise<void> {
    await this.#queue.idle();
    for (const tensor of this.#tensors) tensor.release();
    await this.free();
  }
}

/** @throws DOMException `AbortError`, as Node's own functions do. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw Object.assign(new DOMException('the run was aborted', 'AbortError'), { cause: signal.reason as unknown });
}
