import { type Logger } from '@kiln/observability';

/** After a failure a loop pauses this long, then twice that, up to the limit. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Repeats `work` every `everyMs`, and at once when woken. Never two at a time; a wake-up during a pass makes one more pass.
 * Errors are logged and followed by a growing pause: the loop outlives a database that goes away.
 */
export class Loop {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #failures = 0;

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  wake(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#running = this.#pass().finally(() => {
      this.#running = null;
      if (this.#stopped) return;
      if (this.#again && this.#failures === 0) {
        this.#again = false;
        this.wake();
      } else this.#timer = setTimeout(() => this.wake(), this.#pauseMs());
    });
  }

  /** Ends the loop; resolves when the pass that runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #pass(): Promise<void> {
    try {
      await this.work();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.log.warn({ err: error, loop: this.name }, 'a pass failed and will be repeated');
    }
  }

  #pauseMs(): number {
    if (this.#failures === 0) return this.everyMs;
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
  }
}
