import { sha256Hex } from '@kiln/provenance';
import { type RowLogits } from '../decode/row-logits.js';
import { type AdapterFeeds, type RunOptions, SlotDecoder } from '../decode/slot-decoder.js';
import { type ProbedModel } from './probed-model.js';
import { type LogitsDigest } from './probe-measurements.js';

/** Slots of a model, for measuring: prompts are put into them, and one token is computed behind each. */
export class ProbeRows {
  readonly #decoder: SlotDecoder;
  readonly #options: RunOptions;
  /** By slot: its prompt's length. */
  readonly #lengths: number[] = [];
  #isFinite = true;

  /** @throws RangeError or OrtError when there is not enough memory. */
  constructor({ session, layout, rules }: ProbedModel, shape: { slots: number; width: number }, adapter: AdapterFeeds = {}) {
    this.#decoder = new SlotDecoder(session, layout, rules, shape);
    this.#options = { adapter, signal: new AbortController().signal };
  }

  /** No logit so far was NaN. */
  get isFinite(): boolean {
    return this.#isFinite;
  }

  /** Reads a prompt into a slot, in chunks that end at `ends`, or whole. */
  async read(slot: number, tokens: readonly number[], ends: readonly number[] = []): Promise<LogitsDigest> {
    const { slots } = this.#decoder;
    await slots.reset(slot);
    let logits: RowLogits | null = null;
    let start = 0;
    for (const end of [...ends, tokens.length]) {
      const draw = end === tokens.length ? { temperature: 0 } : null;
      logits = await this.#decoder.prefill(slot, tokens.slice(start, end), start, draw, this.#options);
      start = end;
    }
    await slots.keepState(slot);
    this.#lengths[slot] = tokens.length;
    return this.#digest(await logits!.all());
  }

  /** Copies a slot's prompt. */
  async copy(from: number, to: number): Promise<void> {
    await this.#decoder.slots.copyPrefix(from, to, this.#lengths[from]!);
    this.#lengths[to] = this.#lengths[from]!;
  }

  /** One token behind each of the first rows, which are as before afterwards. */
  async step(rows: number, token: number): Promise<LogitsDigest[]> {
    const lengths = this.#lengths.slice(0, rows);
    // Columns are overwritten by the next step; states have to be put back.
    for (const slot of lengths.keys()) await this.#decoder.slots.copyPrefix(slot, slot, lengths[slot]!);
    const appended = lengths.map((length) => ({ token, length, temperature: 0 }));
    const logits = await this.#decoder.step(appended, this.#options);
    const digests: LogitsDigest[] = [];
    for (const row of logits) digests.push(this.#digest(await row.all()));
    return digests;
  }

  release(): void {
    this.#decoder.release();
  }

  #digest(logits: Float32Array): LogitsDigest {
    if (logits.some(Number.isNaN)) this.#isFinite = false;
    return sha256Hex(new Uint8Array(logits.buffer, logits.byteOffset, logits.byteLength));
  }
}
