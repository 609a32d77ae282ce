/** Limits how many shards are worked on at once, over all queues. First come, first served. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param size shards at once, ≥ 1 */
  constructor(readonly size: number) {
    this.#free = size;
  }

  get busy(): number {
    return this.size - this.#free;
  }

  /** Runs `work` when a slot is free. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
