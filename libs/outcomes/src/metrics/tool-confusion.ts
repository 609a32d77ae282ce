const NONE = '<none>';

/** Counts which tool was called where which was expected. Memory grows with the distinct pairs only. */
export class ToolConfusion {
  readonly #counts = new Map<string, Map<string, number>>();

  /** Pairs target and predicted calls by position, as the tool-call scorer does; a missing call is `<none>`. */
  add(targets: readonly string[], predicted: readonly string[]): void {
    targets.forEach((target, position) => {
      const row = this.#counts.get(target) ?? new Map<string, number>();
      const called = predicted[position] ?? NONE;
      row.set(called, (row.get(called) ?? 0) + 1);
      this.#counts.set(target, row);
    });
  }

  /** Target tool → predicted tool → count, both sorted. */
  counts(): Record<string, Record<string, number>> {
    return sortedRecord(new Map([...this.#counts].map(([target, row]) => [target, sortedRecord(row)])));
  }
}

function sortedRecord<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries.keys()].sort().map((key) => [key, entries.get(key) as T]));
}
