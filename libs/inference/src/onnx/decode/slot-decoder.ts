import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';
import { type DecoderLayout, type FloatType, type IntegerPort } from '../decoder-layout.js';
import { fromHalf } from '../graph/half-float.js';
import { type DecodeRules } from './decode-rules.js';
import { KvSlots, type SlotShape } from './kv-slots.js';
import { longestChunk } from './prompt-chunks.js';

export type AdapterFeeds = Readonly<Record<string, OrtTensor>>;

/** What one run is to compute: for each row the tokens that come behind what its slot holds. */
interface Rows {
  readonly first: number;
  /** Tokens of each row, as many for all. */
  readonly tokens: readonly (readonly number[])[];
  /** Tokens that each row's slot holds already. */
  readonly lengths: readonly number[];
  readonly adapter: AdapterFeeds;
  readonly signal: AbortSignal;
}

/** Runs a decoder graph on slots. Knows tensors; nothing of text, sampling or requests. */
export class SlotDecoder {
  readonly rules: DecodeRules;
  readonly slots: KvSlots;
  readonly #session: OrtSession;
  readonly #layout: DecoderLayout;
  readonly #buffers = new Map<string, OrtTensor>();
  readonly #views = new Map<string, OrtTensor>();

  /** @throws RangeError or OrtError when there is not enough memory. */
  constructor(session: OrtSession, layout: DecoderLayout, rules: DecodeRules, shape: SlotShape) {
    this.#session = session;
    this.#layout = layout;
    this.rules = rules;
    this.slots = new KvSlots(session, layout, rules, shape);
    try {
      this.#allocate(shape);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /**
   * Reads a chunk of one row's prompt into its slot.
   * @param wantsLogits of the last token; else nothing is returned.
   * @throws DOMException `AbortError` when `signal` aborts; what the slot held before is still there.
   */
  async prefill(
    slot: number,
    tokens: readonly number[],
    length: number,
    { wantsLogits, adapter, signal }: { wantsLogits: boolean; adapter: AdapterFeeds; signal: AbortSignal },
  ): Promise<Float32Array | null> {
    await this.slots.gather(slot, length, tokens.length);
    const logits = await this.#run({ first: slot, tokens: [tokens], lengths: [length], adapter, signal }, wantsLogits);
    return logits[0] ?? null;
  }

  /**
   * Appends one token to each of the first slots.
   * @returns the logits behind each; valid until the next run.
   */
  async step(tokens: readonly number[], lengths: readonly number[], adapter: AdapterFeeds, signal: AbortSignal): Promise<Float32Array[]> {
    await this.slots.gather(0, lengths[0]!, 1);
    return this.#run({ first: 0, tokens: tokens.map((token) => [token]), lengths, adapter, signal }, true);
  }

  release(): void {
    for (const tensor of [...this.#views.values(), ...this.#buffers.values()]) tensor.release();
    this.#views.clear();
    this.#buffers.clear();
    this.slots.release();
  }

  async #run({ first, tokens, lengths, adapter, signal }: Rows, wantsLogits: boolean): Promise<Float32Array[]> {
    const { inputIds, positionIds, attentionMask, logitsToKeep, logits } = this.#layout;
    const rows = tokens.length;
    const added = tokens[0]!.length;
    const { feeds, fetches } = this.slots.ports(first, rows, lengths, added);
    feeds[inputIds.name] = this.#integers(inputIds, [rows, added], tokens.flat());
    if (positionIds !== null) {
      const plane = lengths.flatMap((length) => Array.from({ length: added }, (_, index) => length + index));
      const planes = positionIds.planes ?? 1;
      const shape = positionIds.planes === null ? [rows, added] : [planes, rows, added];
      feeds[positionIds.name] = this.#integers(positionIds, shape, Array.from({ length: planes }, () => plane).flat());
    }
    const mask = attentionMask === null ? null : this.#mask(attentionMask, lengths, added);
    if (mask !== null) feeds[attentionMask!.name] = mask;
    if (logitsToKeep !== null) feeds[logitsToKeep.name] = this.#integers(logitsToKeep, logitsToKeep.shape, [1]);
    const positions = logitsToKeep === null ? added : 1;
    if (wantsLogits) fetches[logits.name] = this.#view(logits.name, [rows, positions, logits.vocabulary!]);
    try {
      await this.#session.run({ ...feeds, ...adapter }, fetches, signal);
    } finally {
      mask?.release();
    }
    await this.slots.settle(first, rows, lengths, added);
    return wantsLogits ? lastLogits(fetches[logits.name]!, rows, positions) : [];
  }

  #allocate({ slots, width }: SlotShape): void {
    const { inputIds, positionIds, attentionMask, logitsToKeep, logits } = this.#layout;
    const chunk = Math.min(longestChunk(this.rules.chunkTokens), width);
    const tokens = Math.max(slots, chunk);
    const add = (name: string, type: IntegerPort['type'] | FloatType, elements: number) =>
      this.#buffers.set(name, this.#session.newTensor(type, [elements]));
    add(inputIds.name, inputIds.type, tokens);
    if (positionIds !== null) add(positionIds.name, positionIds.type, tokens * (positionIds.planes ?? 1));
    if (attentionMask !== null) add(attentionMask.name, attentionMask.type, Math.max(slots * (width + 1), width + chunk));
    if (logitsToKeep !== null) add(logitsToKeep.name, logitsToKeep.type, 1);
    add(logits.name, logits.type, logits.vocabulary! * (logitsToKeep === null ? tokens : slots));
  }

  #integers({ name, type }: IntegerPort, shape: readonly number[], values: readonly number[]): OrtTensor {
    const { data } = this.#buffers.get(name)!;
    if (type === 'int64') values.forEach((value, index) => ((data as BigInt64Array)[index] = BigInt(value)));
    else (data as Int32Array).set(values);
    return this.#view(name, shape);
  }

  /** Ones where a row has a token. Its width grows with each step, so that it is the caller's to release. */
  #mask({ name, type }: IntegerPort, lengths: readonly number[], added: number): OrtTensor {
    const { past } = this.rules;
    const { width } = this.slots.shape;
    const longest = Math.max(...lengths) + added;
    // On a device all steps have one shape, so that kernels and their order of sums never depend on the longest row.
    const columns = past === 'holes' ? width + added : past === 'slots' && this.#session.provider === 'cuda' ? width : longest;
    const buffer = this.#buffers.get(name)!;
    const one = (type === 'int64' ? 1n : 1) as never;
    buffer.data.fill((type === 'int64' ? 0n : 0) as never, 0, lengths.length * columns);
    lengths.forEach((length, row) => {
      const start = row * columns;
      if (past === 'holes') {
        buffer.data.fill(one, start, start + length);
        buffer.data.fill(one, start + width, start + columns);
      } else buffer.data.fill(one, start, start + length + added);
    });
    return this.#session.viewOf(buffer, [lengths.length, columns]);
  }

  #view(name: string, shape: readonly number[]): OrtTensor {
    const key = `${name} ${shape.join('x')}`;
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const view = this.#session.viewOf(this.#buffers.get(name)!, shape);
    this.#views.set(key, view);
    return view;
  }
}

/** The last position of each row, as float32. */
function lastLogits({ data, shape }: OrtTensor, rows: number, positions: number): Float32Array[] {
  const vocabulary = shape[2]!;
  return Array.from({ length: rows }, (_, row) => {
    const end = (row + 1) * positions * vocabulary;
    const last = (data as Float32Array | Uint16Array).subarray(end - vocabulary, end);
    return last instanceof Float32Array ? last : Float32Array.from(last, fromHalf);
  });
}
