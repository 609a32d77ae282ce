import { sha256Hex } from '@kiln/provenance';
import { type AdapterFeeds, SlotDecoder } from '../onnx/decode/slot-decoder.js';
import { type ProbedModel } from './probed-model.js';
import { type LogitsDigest } from './probe-measurements.js';

/** Slots of a model, for measuring: prompts are put into them, and one token is computed behind each. */
export class ProbeRows {
  readonly #decoder: SlotDecoder;
  readonly #adapter: AdapterFeeds;
  readonly #signal = new AbortController().signal;
  /** By slot: its prompt's length. */
  readonly #lengths: number[] = [];
  #isFinite = true;

  /** @throws RangeError or OrtError when there is not enough memory. */
  constructor({ session, layout, rules }: ProbedModel, shape: { slots: number; width: number }, adapter: AdapterFeeds = {}) {
    this.#decoder = new SlotDecoder(session, layout, rules, shape);
    this.#adapter = adapter;
  }

  /** No logit so far was NaN. */
  get isFinite(): boolean {
    return this.#isFinite;
  }

  /** Reads a prompt into a slot, in chunks that end at `ends`, or whole. */
  async read(slot: number, tokens: readonly number[], ends: readonly number[] = []): Promise<LogitsDigest> {
    const { slots } = this.#decoder;
    await slots.reset(slot);
    let logits: Float32Array | null = null;
    let start = 0;
    for (const end of [...ends, tokens.length]) {
      const options = { wantsLogits: end === tokens.length, adapter: this.#adapter, signal: this.#signal };
      logits = await this.#decoder.prefill(slot, tokens.slice(start, end), start, options);
      start = end;
    }
    await slots.keepState(slot);
    this.#lengths[slot] = tokens.length;
    return this.#digest(logits!);
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
    const logits = await this.#decoder.step(
      lengths.map(() => token),
      lengths,
      this.#adapter,
      this.#signal,
    );
    return logits.map((row) => this.#digest(row));
  }

  release(): void {
    this.#decoder.release();
  }

  #digest(logits: Float32Array): LogitsDigest {
    if (logits.some(Number.isNaN)) this.#isFinite = false;
    return sha256Hex(new Uint8Array(logits.buffer, logits.byteOffset, logits.byteLength));
  }
}
