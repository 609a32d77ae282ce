/** How many native objects of each kind are alive, for tests and soaks that look for leaks. */
export class NativeCensus {
  readonly #alive = new Map<string, number>();

  change(kind: string, by: 1 | -1): void {
    this.#alive.set(kind, (this.#alive.get(kind) ?? 0) + by);
  }

  /** Kinds of which something is alive. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#alive].filter(([, count]) => count !== 0));
  }
}

/** The one owner of something the runtime allocated: gives its address while it lives, and frees it once. */
export class NativeObject {
  readonly kind: string;
  readonly #census: NativeCensus;
  readonly #free: (address: bigint) => void;
  #address: bigint | null;

  constructor(kind: string, address: bigint, free: (address: bigint) => void, census: NativeCensus) {
    this.kind = kind;
    this.#address = address;
    this.#free = free;
    this.#census = census;
    census.change(kind, 1);
  }

  /** @throws Error after the release: an address that was freed never reaches native code. */
  get address(): bigint {
    if (this.#address === null) throw new Error(`this ${this.kind} was released`);
    return this.#address;
  }

  /** Frees it; nothing the second time. */
  release(): void {
    if (this.#address === null) return;
    const address = this.#address;
    this.#address = null;
    this.#census.change(this.kind, -1);
    this.#free(address);
  }
}
