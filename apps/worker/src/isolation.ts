interface Waiting {
  alone: boolean;
  start: () => void;
}

/**
 * Lets work run side by side, except for work that must run alone: a shard whose samples may crash the engine. What shared the
 * engine with it would be counted as crashing too, and an innocent example would end as an error. First come, first served.
 */
export class Isolation {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #alone = false;

  async run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ alone, start });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#alone = false;
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && !this.#alone && (!next.alone || this.#running === 0); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#running += 1;
      this.#alone = next.alone;
      next.start();
    }
  }
}
