/** Runs tasks one after another, in the order in which they were added. */
export class RunQueue {
  #last: Promise<unknown> = Promise.resolve();

  add<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => null);
    return result;
  }

  /** When all that was added is done, however it ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
