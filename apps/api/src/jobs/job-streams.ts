import { Injectable, StreamableFile } from '@nestjs/common';
import { KilnError } from '@kiln/contracts';
import { Readable } from 'node:stream';
import { type Caller } from '../auth/caller.js';
import { Draining } from '../http/draining.js';
import { jobEvents } from './job-events.js';
import { JobWatch } from './job-watch.js';
import { JobsService } from './jobs.service.js';

/** Event streams open at once in this process; each costs a socket and a little memory for as long as its job runs. */
const MAX_STREAMS = 512;

/** Opens event streams, and knows how many are open. */
@Injectable()
export class JobStreams {
  #open = 0;

  constructor(
    private readonly jobs: JobsService,
    private readonly watch: JobWatch,
    private readonly draining: Draining,
  ) {}

  /**
   * @param closed aborts when the client has gone
   * @throws KilnError `rate_limited` when too many streams are open
   */
  async open(caller: Caller, jobId: string, lastEventId: string | undefined, closed: AbortSignal): Promise<StreamableFile> {
    await this.jobs.state(caller, jobId);
    if (this.#open >= MAX_STREAMS) {
      throw new KilnError('rate_limited', `${MAX_STREAMS} event streams are open already`, {
        hint: 'Read the job with ?wait=60 instead, or try again soon.',
      });
    }
    const signal = AbortSignal.any([closed, this.draining.signal]);
    const stream = Readable.from(jobEvents(this.watch, jobId, lastEventId, signal), { objectMode: false });
    this.#open += 1;
    stream.once('close', () => (this.#open -= 1));
    return new StreamableFile(stream, { type: 'text/event-stream' });
  }
}
