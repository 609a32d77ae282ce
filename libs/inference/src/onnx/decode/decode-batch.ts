import { chunkEnd } from './prompt-chunks.js';
import { type RowLogits } from './row-logits.js';
import { type AdapterFeeds, type SlotDecoder, type StepRow } from './slot-decoder.js';
import { SlotTable } from './slot-table.js';
import { leastRows, mostRows, stepRows } from './step-sizes.js';
import { type TokenChooser } from './token-chooser.js';

/** One completion to be decoded, and what is known of it outside. */
export interface DecodeJob {
  readonly completion: TokenChooser;
  readonly promptTokens: readonly number[];
  /** The caller has given it up. */
  readonly isCancelled: () => boolean;
  /** Called once: it is over, or was given up. */
  readonly finish: (how: 'over' | 'cancelled') => void;
}

/** An adapter as runs are fed it. */
export interface BatchAdapter {
  /** Keys and values of one adapter are worth nothing to another. null = the model as it is. */
  readonly key: string | null;
  readonly feeds: AdapterFeeds;
  /** Fewest rows of a step that it takes part in. */
  readonly minRows: number;
}

export interface DecodeBatchOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Called after each run of the graph. */
  readonly onProgress: () => void;
  /** Called before each run, and before its results are used. Throws when the weights are not what they were. */
  readonly checkWeights?: () => void;
}

interface Row {
  readonly job: DecodeJob;
  nextToken: number;
  /** Tokens that its slot holds. */
  length: number;
  isOver: boolean;
}

/**
 * Rows that are decoded together, each in a slot, with one adapter at a time. Carries out what it is told: admit, read, step, retire. Row r is
 * in slot r, and the prompt that is being read in the slot behind the last row.
 */
export class DecodeBatch {
  readonly #decoder: SlotDecoder;
  readonly #table: SlotTable;
  readonly #options: DecodeBatchOptions;
  readonly #maxBatch: number;
  readonly #rows: Row[] = [];
  #adapter: BatchAdapter = { key: null, feeds: {}, minRows: 1 };
  #reading: DecodeJob | null = null;
  #readSinceStep = 0;
  /** The last prompt that was read to its end: whoever has the same one need not read it. */
  #lastPrompt: { adapter: string | null; tokens: readonly number[]; logits: RowLogits } | null = null;
  #run: { readonly jobs: readonly DecodeJob[]; readonly abort: AbortController } | null = null;

  /** @param maxBatch jobs that may be decoded together; a step may need more rows than that. */
  constructor(decoder: SlotDecoder, options: DecodeBatchOptions, maxBatch = Infinity) {
    this.#decoder = decoder;
    this.#maxBatch = maxBatch;
    this.#table = new SlotTable(decoder.slots.shape.slots);
    this.#options = options;
  }

  /** Rows that there is room for. */
  get room(): number {
    return Math.min(mostRows(this.#table.slots, this.#decoder.rules), this.#maxBatch);
  }

  get slots(): number {
    return this.#table.slots;
  }

  get width(): number {
    return this.#decoder.slots.shape.width;
  }

  get live(): number {
    return this.#rows.length;
  }

  get isReading(): boolean {
    return this.#reading !== null;
  }

  /** Tokens of prompts that were read since the last step; 0 while a step would need the slot of the prompt that is being read. */
  get readSinceStep(): number {
    const needsItsSlot = this.isReading && this.#decoder.slots.hasStates && this.live < this.#stepRows;
    return needsItsSlot ? 0 : this.#readSinceStep;
  }

  /** Rows of the next step. */
  get #stepRows(): number {
    const { rules } = this.#decoder;
    return stepRows(this.live, leastRows(this.#adapter.minRows, rules), rules.stepSizes);
  }

  /** Rows to retire. */
  get finished(): number {
    let count = 0;
    for (const { isOver, job } of this.#rows) if (isOver || job.isCancelled()) count++;
    return count;
  }

  /** The jobs that it holds. */
  get jobs(): DecodeJob[] {
    const rows = this.#rows.filter(({ isOver }) => !isOver).map(({ job }) => job);
    return this.#reading === null ? rows : [...rows, this.#reading];
  }

  /** From now on rows have this adapter. Only while there are none. */
  use(adapter: BatchAdapter): void {
    if (this.live > 0 || this.isReading) throw new Error('rows of two adapters cannot share a step');
    this.#adapter = adapter;
  }

  /** Gives a job the next slot, with as much of its prompt as is known. There must be room, and nothing may be being read. */
  async admit(job: DecodeJob): Promise<void> {
    if (job.isCancelled()) return job.finish('cancelled');
    job.completion.start(this.#options.now());
    const { slots, rules } = this.#decoder;
    const { promptTokens: tokens } = job;
    const { key: adapter } = this.#adapter;
    const slot = this.live;
    const logits = this.#logitsOf(tokens);
    const prefix = this.#table.findPrefix(tokens, adapter, slot, rules, logits !== null);
    if (prefix?.donor !== slot) await this.#rescue(slot, prefix?.donor ?? null);
    if (prefix === null) await slots.reset(slot);
    else {
      await slots.copyPrefix(prefix.donor, slot, prefix.tokens);
      this.#table.touch(prefix.donor);
    }
    const read = prefix?.tokens ?? 0;
    this.#table.begin(slot, { adapter, tokens, read, stateAt: slots.hasStates ? read : null });
    if (read === tokens.length) await this.#begin(job, logits!);
    else this.#reading = job;
  }

  /** Reads the next chunk of the prompt; behind the last one the row begins. */
  async read(): Promise<void> {
    const job = this.#reading!;
    if (job.isCancelled()) return this.#dropReading();
    const { promptTokens: tokens } = job;
    const slot = this.live;
    const { read: start, stateAt } = this.#table.content(slot);
    const end = chunkEnd(start, tokens.length, this.#decoder.rules.chunkTokens);
    const isLast = end === tokens.length;
    const { feeds } = this.#adapter;
    const logits = await this.#running([job], (signal) =>
      this.#decoder.prefill(slot, tokens.slice(start, end), start, isLast ? job.completion : null, { adapter: feeds, signal }),
    );
    if (logits === undefined) return this.#dropReading();
    this.#readSinceStep += end - start;
    if (isLast) await this.#decoder.slots.keepState(slot);
    this.#table.advance(slot, { read: end, stateAt: isLast && stateAt !== null ? end : stateAt });
    if (!isLast) return;
    this.#lastPrompt = { adapter: this.#adapter.key, tokens, logits: await logits!.keep() };
    await this.#begin(job, this.#lastPrompt.logits);
    this.#reading = null;
  }

  /** One token for every row. */
  async step(): Promise<void> {
    const rows = [...this.#rows];
    const appended: StepRow[] = rows.map(({ nextToken, length, job }) => ({
      token: nextToken,
      length,
      temperature: job.completion.temperature,
    }));
    const size = this.#stepRows;
    while (appended.length < size) appended.push(this.#idleRow(appended.length, appended.at(-1)!.token));
    const { feeds } = this.#adapter;
    const logits = await this.#running(
      rows.map(({ job }) => job),
      (signal) => this.#decoder.step(appended, { adapter: feeds, signal }),
    );
    this.#readSinceStep = 0;
    // Aborted: nobody wants any of them.
    if (logits === undefined) return;
    for (const row of rows) row.length++;
    for (const [index, row] of rows.entries()) if (!row.job.isCancelled()) await this.#advance(row, logits[index]!);
  }

  /** Rows that are over leave, and the last ones take their places. */
  async retire(): Promise<void> {
    const { slots } = this.#decoder;
    const before = this.live;
    for (let slot = this.live - 1; slot >= 0; slot--) {
      const row = this.#rows[slot]!;
      if (!row.isOver && !row.job.isCancelled()) continue;
      if (!row.isOver) row.job.finish('cancelled');
      const last = this.#rows.pop()!;
      if (last === row) continue;
      await slots.move(this.live, slot, last.length);
      this.#table.copy(this.live, slot);
      this.#rows[slot] = last;
    }
    if (!this.isReading || this.live === before) return;
    await slots.move(before, this.live, this.#table.content(before).read);
    this.#table.copy(before, this.live);
  }

  /** Stops the run that is under way when nobody wants its results any more. */
  stopIfUnwanted(): void {
    if (this.#run?.jobs.every((job) => job.isCancelled()) === true) this.#run.abort.abort();
  }

  release(): void {
    this.#decoder.release();
  }

  async #begin(job: DecodeJob, logits: RowLogits): Promise<void> {
    const row: Row = { job, nextToken: 0, length: job.promptTokens.length, isOver: false };
    await this.#advance(row, logits);
    if (!row.isOver) this.#rows.push(row);
  }

  /** Chooses the row's next token. Limits in time see one moment, even where bringing all logits from a device takes a while. */
  async #advance(row: Row, logits: RowLogits): Promise<void> {
    const { completion, finish } = row.job;
    const now = this.#options.now();
    let advance = completion.advance(logits.atHand, now);
    if (advance === 'undecided') advance = completion.advance(await logits.all(), now);
    if (typeof advance === 'object') row.nextToken = advance.token;
    else {
      row.isOver = true;
      finish('over');
    }
  }

  #logitsOf(tokens: readonly number[]): RowLogits | null {
    const last = this.#lastPrompt;
    const isSame =
      last !== null &&
      last.adapter === this.#adapter.key &&
      last.tokens.length === tokens.length &&
      last.tokens.every((token, index) => token === tokens[index]);
    return isSame ? last.logits : null;
  }

  /** What a free slot holds goes to the one that nobody has used for longer, before it is overwritten. */
  async #rescue(slot: number, donor: number | null): Promise<void> {
    const oldest = this.#table.leastRecentlyUsed(slot);
    if (oldest === slot || oldest === donor || this.#table.content(slot).read === 0) return;
    await this.#decoder.slots.move(slot, oldest, this.#table.content(slot).read);
    this.#table.copy(slot, oldest);
  }

  /** A free slot takes part in a step; what it holds stays, but for a column at the very end. */
  #idleRow(slot: number, token: number): StepRow {
    const content = this.#table.content(slot);
    const length = Math.min(content.read, this.width - 1);
    if (length < content.read) this.#table.advance(slot, { ...content, read: length });
    return { token, length, temperature: 0 };
  }

  #dropReading(): void {
    this.#reading!.finish('cancelled');
    this.#reading = null;
  }

  /** undefined: it was stopped because nobody wants the results. */
  async #running<T>(jobs: readonly DecodeJob[], run: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const abort = new AbortController();
    this.#run = { jobs, abort };
    try {
      // Before as well: reading a file that was cut off ends the process.
      this.#options.checkWeights?.();
      const result = await run(abort.signal);
      this.#options.checkWeights?.();
      return result;
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      return undefined;
    } finally {
      this.#run = null;
      this.#options.onProgress();
    }
  }
}
