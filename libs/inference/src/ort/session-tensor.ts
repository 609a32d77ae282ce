import { elementCount, ELEMENTS, type OrtArrays, type OrtElement } from './ort-element.js';
import { type OrtTensor } from './ort-session.js';
import { type TensorMemory } from './tensor-memory.js';

/** The runtime's handle of a tensor. */
export interface TensorValue {
  release(): void;
}

export interface TensorParts<T extends OrtElement, V extends TensorValue> {
  type: T;
  shape: readonly number[];
  memory: TensorMemory;
  /** Of the memory. */
  firstByte: number;
  value: V;
  /** What a view is a part of. */
  parent: SessionTensor<T, V> | null;
  /** Told once, when it is released. */
  onRelease: () => void;
}

interface AliveParts<T extends OrtElement, V extends TensorValue> {
  memory: TensorMemory;
  value: V;
  /** null on a device. */
  data: OrtArrays[T] | null;
}

/** A tensor of either backend: it owns the runtime's value and a share in the memory. */
export class SessionTensor<T extends OrtElement = OrtElement, V extends TensorValue = TensorValue> implements OrtTensor<T> {
  readonly type: T;
  readonly shape: readonly number[];
  readonly memory: 'cpu' | 'device';
  readonly elements: number;
  readonly firstByte: number;
  readonly #onRelease: TensorParts<T, V>['onRelease'];
  readonly #parent: SessionTensor<T, V> | null;
  readonly #views = new Set<SessionTensor<T, V>>();
  #alive: AliveParts<T, V> | null;
  #uses = 0;

  constructor({ type, shape, memory, firstByte, value, parent, onRelease }: TensorParts<T, V>) {
    this.type = type;
    this.shape = Object.freeze([...shape]);
    this.elements = elementCount(shape);
    this.memory = memory.kind;
    this.firstByte = firstByte;
    this.#onRelease = onRelease;
    this.#parent = parent;
    if (parent !== null) parent.#views.add(this);
    const data = memory.kind === 'cpu' ? arrayOver(type, memory.buffer, firstByte, this.elements) : null;
    this.#alive = { memory, value, data };
  }

  get data(): OrtArrays[T] {
    const { data } = this.#parts();
    if (data === null) throw new Error('this tensor is in the memory of a device; copy it to one that is not');
    return data;
  }

  get value(): V {
    return this.#parts().value;
  }

  get memoryOfTensor(): TensorMemory {
    return this.#parts().memory;
  }

  /** A run reads or writes it from now on. @throws Error when it is released. */
  use(): void {
    this.#parts();
    this.#uses++;
  }

  unuse(): void {
    this.#uses--;
  }

  release(): void {
    if (this.#alive === null) return;
    if (this.#isInUse()) throw new Error('a run uses this tensor; await the run before the release');
    for (const view of this.#views) view.release();
    if (this.#parent !== null) this.#parent.#views.delete(this);
    const { value } = this.#alive;
    this.#alive = null;
    this.#onRelease();
    value.release();
  }

  #isInUse(): boolean {
    return this.#uses > 0 || [...this.#views].some((view) => view.#isInUse());
  }

  #parts(): AliveParts<T, V> {
    if (this.#alive === null) throw new Error(`this tensor, ${this.type} [${this.shape.join(', ')}], was released`);
    return this.#alive;
  }
}

function arrayOver<T extends OrtElement>(type: T, buffer: ArrayBuffer, firstByte: number, elements: number): OrtArrays[T] {
  return new ELEMENTS[type].array(buffer, firstByte, elements) as OrtArrays[T];
}
