import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

/**
 * Says that the process is stopping. Readiness reads it, so that no new request is routed here; event streams and
 * long polls end on its signal, so that closing the server does not have to wait for them.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  readonly #controller = new AbortController();

  /** Aborted once, when the process starts to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isDraining(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Starts draining. Safe to call again. */
  begin(): void {
    this.#controller.abort();
  }

  /** Nest calls this before it closes the HTTP server. */
  beforeApplicationShutdown(): void {
    this.begin();
  }
}
