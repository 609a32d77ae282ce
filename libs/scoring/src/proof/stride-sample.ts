/**
 * Evenly spaced items of a stream of unknown length: every 1st, 2nd, 4th … of them, so that between half of `limit` and
 * `limit` are kept and the same stream always keeps the same ones.
 */
export class StrideSample<T> {
  readonly #limit: number;
  readonly #budget: number;
  #kept: { item: T; size: number }[] = [];
  #size = 0;
  #stride = 1;
  #seen = 0;

  /** @param budget the sum of sizes above which fewer are kept */
  constructor(limit: number, budget: number) {
    this.#limit = limit;
    this.#budget = budget;
  }

  add(item: T, size: number): void {
    if (this.#seen % this.#stride === 0) {
      this.#kept.push({ item, size });
      this.#size += size;
    }
    this.#seen += 1;
    while (this.#kept.length > 1 && (this.#kept.length > this.#limit || this.#size > this.#budget)) this.#halve();
  }

  get items(): readonly T[] {
    return this.#kept.map(({ item }) => item);
  }

  #halve(): void {
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#size = this.#kept.reduce((sum, { size }) => sum + size, 0);
    this.#stride *= 2;
  }
}
