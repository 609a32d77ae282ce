/**
 * Runs `work` over the items, at most `limit` at a time, in order of their start. Starts nothing more once `signal` aborts or a call
 * throws; waits for those that run.
 *
 * @throws what the first call that failed threw
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  let failure: unknown;
  const lane = async (): Promise<void> => {
    while (!failed && !signal.aborted && next < items.length) {
      const item = items[next++]!;
      try {
        await work(item);
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failed) throw failure;
}
