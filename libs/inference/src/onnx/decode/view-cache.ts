import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';

/** Views of tensors, each made once for as long as its shape stays: the runtime then finds it bound already. */
export class ViewCache {
  readonly #session: OrtSession;
  readonly #views = new Map<string, OrtTensor>();

  constructor(session: OrtSession) {
    this.#session = session;
  }

  get size(): number {
    return this.#views.size;
  }

  /** @param key names the tensor and what the view is used for. */
  get<T extends OrtTensor>(key: string, tensor: T, shape: readonly number[], first = 0): T {
    const name = `${key} ${first} ${shape.join('x')}`;
    const known = this.#views.get(name);
    if (known !== undefined) return known as T;
    const view = this.#session.viewOf(tensor, shape, first);
    this.#views.set(name, view);
    return view as T;
  }

  release(): void {
    for (const view of this.#views.values()) view.release();
    this.#views.clear();
  }
}
