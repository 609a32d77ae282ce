/**
 * A queue between one producer and one consumer, read as an async iterable. What was pushed before the end is still
 * delivered; a failure is thrown after it.
 */
export class ResultChannel<T> implements AsyncIterableIterator<T> {
  readonly #values: T[] = [];
  readonly #onTaken: () => void;
  readonly #onAbandoned: () => void;
  #head = 0;
  #ended = false;
  #failure: unknown = null;
  #wake: (() => void) | null = null;

  /** `onTaken`: the consumer has received a value. `onAbandoned`: it will not read on. */
  constructor({ onTaken = () => {}, onAbandoned = () => {} }: { onTaken?: () => void; onAbandoned?: () => void } = {}) {
    this.#onTaken = onTaken;
    this.#onAbandoned = onAbandoned;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  push(value: T): void {
    if (this.#ended) return;
    this.#values.push(value);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    if (this.#ended) return;
    this.#failure = error;
    this.end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    while (this.#head === this.#values.length && !this.#ended) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = null;
    }
    if (this.#head < this.#values.length) return { done: false, value: this.#take() };
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#ended = true;
    this.#values.length = this.#head = 0;
    this.#onAbandoned();
    return { done: true, value: undefined };
  }

  #take(): T {
    const value = this.#values[this.#head++]!;
    if (this.#head === this.#values.length) this.#values.length = this.#head = 0;
    this.#onTaken();
    return value;
  }
}
