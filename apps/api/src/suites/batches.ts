/** One statement's worth: enough to make round trips cheap, little enough to hold in memory and to finish in time. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/**
 * Cuts a stream into batches of at most 500 items and about 4 Mi characters, and at least one item.
 *
 * @param sizeOf an item's size in characters
 */
export async function* batches<T>(items: AsyncIterable<T> | Iterable<T>, sizeOf: (item: T) => number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let characters = 0;
  for await (const item of items) {
    const size = sizeOf(item);
    if (batch.length > 0 && (batch.length === BATCH_ROWS || characters + size > BATCH_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += size;
  }
  if (batch.length > 0) yield batch;
}
