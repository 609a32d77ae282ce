import { Decoder } from './decode/decoder.js';
import { type OpenSession } from './open-session.js';
import { type PromptReader } from './prepare-prompt.js';

/** A model with its adapter, ready to decode. Freed when it was closed and nobody uses it any more. */
export class LoadedModel {
  readonly decoder: Decoder;
  readonly reader: PromptReader;
  readonly endTokens: ReadonlySet<number>;
  readonly minRows: number;
  #users = 0;
  #whenUnused: (() => void) | null = null;

  constructor(session: OpenSession, reader: PromptReader, options: { endTokens: readonly number[]; minRows: number }) {
    this.decoder = new Decoder(session.session, session.layout, session.adapterFeeds);
    this.reader = reader;
    this.endTokens = new Set(options.endTokens);
    this.minRows = options.minRows;
  }

  /** Runs `use` with the promise that the model is not freed meanwhile. */
  async using<T>(use: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await use();
    } finally {
      this.#users--;
      if (this.#users === 0) this.#whenUnused?.();
    }
  }

  /** Waits for its users and frees the session. */
  async close(): Promise<void> {
    if (this.#users > 0) await new Promise<void>((resolve) => (this.#whenUnused = resolve));
    await this.decoder.release();
  }
}
