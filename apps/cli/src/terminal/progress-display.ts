import type { Job } from '@kiln/contracts';
import type { Output } from '../cli-context.js';
import { progressBar, progressLine } from './progress-line.js';

/** Between two lines where nothing can be redrawn. */
const LINE_EVERY_MS = 10_000;

/** Shows how a job goes on: a bar that is redrawn on a terminal, one line every 10 s elsewhere. */
export class ProgressDisplay {
  #lastLineAt = 0;
  #drawn = false;

  constructor(
    readonly output: Output,
    readonly startedAt: number,
    /** Milliseconds since 1970. */
    readonly now: () => number = Date.now,
  ) {
    this.#lastLineAt = startedAt;
  }

  show(job: Pick<Job, 'state' | 'progress'>): void {
    const seconds = (this.now() - this.startedAt) / 1000;
    if (this.output.isTTY === true) {
      const line = progressBar(job.state, job.progress, seconds);
      // One column stays free: some terminals wrap when the last one is used.
      this.output.write(`\r\u001b[2K${[...line].slice(0, (this.output.columns ?? 80) - 1).join('')}`);
      this.#drawn = true;
      return;
    }
    if (this.now() - this.#lastLineAt < LINE_EVERY_MS) return;
    this.#lastLineAt = this.now();
    this.output.write(`${progressLine(job.state, job.progress, seconds)}\n`);
  }

  /** Ends the line that was redrawn. */
  end(): void {
    if (this.#drawn) this.output.write('\n');
    this.#drawn = false;
  }
}
