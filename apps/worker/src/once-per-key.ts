/**
 * What is made once for a key and then kept: callers that come while it is being made share the making. A failure is not
 * kept, so the next caller tries again. Beyond `limit` keys the oldest are forgotten.
 */
export class OncePerKey<Value> {
  readonly #made = new Map<string, Promise<Value>>();

  constructor(private readonly limit: number) {}

  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#made.get(key);
    if (known) return known;
    const making = make();
    this.#made.set(key, making);
    making.catch(() => {
      if (this.#made.get(key) === making) this.#made.delete(key);
    });
    if (this.#made.size > this.limit) this.#made.delete(this.#made.keys().next().value!);
    return making;
  }
}
