/** Where a keyword finds the value that it is applied to. */
export interface ValuePlace {
  readonly parentData?: unknown;
  readonly parentDataProperty?: string | number;
}

/**
 * The validator knows no number but 64-bit floats. It gets a copy of an answer in which integers beyond them are rounded; this
 * remembers what each part of the copy was, for the keywords that compare values.
 */
export class ExactTwins {
  #twins = new WeakMap<object, unknown>();
  #root: unknown;

  /** `value` in floats; the same object where nothing had to be rounded. Recursive: callers bound the depth. */
  roundedCopy(value: unknown): unknown {
    this.#root = value;
    return this.#copy(value);
  }

  /** What a value of the copy was. */
  exactOf(value: unknown, { parentData, parentDataProperty }: ValuePlace): unknown {
    if (typeof value === 'object' && value !== null) return this.#twins.get(value) ?? value;
    if (typeof value !== 'number') return value;
    if (typeof parentData !== 'object' || parentData === null) return typeof this.#root === 'bigint' ? this.#root : value;
    const parent = this.#twins.get(parentData) as Record<string, unknown> | undefined;
    return parent === undefined ? value : parent[String(parentDataProperty)];
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'bigint') return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(value)));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => [key, this.#copy(member), member] as const);
    if (members.every(([, copy, member]) => copy === member)) return value;
    const copy = Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
    this.#twins.set(copy, value);
    return copy;
  }
}
