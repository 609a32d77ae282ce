import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';
import { type DecoderLayout, type IntegerPort } from '../decoder-layout.js';
import { type DecodeRules } from './decode-rules.js';
import { KvSlots, type SlotShape } from './kv-slots.js';
import { type LogitsPorts } from './logits-ports.js';
import { openLogitsPorts } from './open-logits-ports.js';
import { longestChunk } from './prompt-chunks.js';
import { type RowLogits } from './row-logits.js';
import { ViewCache } from './view-cache.js';

export type AdapterFeeds = Readonly<Record<string, OrtTensor>>;

/** What a run depends on besides tokens. */
export interface RunOptions {
  readonly adapter: AdapterFeeds;
  readonly signal: AbortSignal;
}

/** How a token is drawn from logits. */
export interface Draw {
  /** 0 = greedy. */
  readonly temperature: number;
}

/** What a step appends to one row, and how the token behind it is drawn. */
export interface StepRow extends Draw {
  readonly token: number;
  /** Tokens that its slot holds already. */
  readonly length: number;
}

/** What one run is to compute: for each row the tokens that come behind what its slot holds. */
interface Rows {
  readonly first: number;
  /** Tokens of each row, as many for all. */
  readonly tokens: readonly (readonly number[])[];
  /** Tokens that each row's slot holds already. */
  readonly lengths: readonly number[];
  /** Of each row's draws. */
  readonly temperatures: readonly number[];
}

/** Runs a decoder graph on slots. Knows tensors; nothing of text, sampling or requests. */
export class SlotDecoder {
  readonly rules: DecodeRules;
  readonly slots: KvSlots;
  readonly #session: OrtSession;
  readonly #layout: DecoderLayout;
  readonly #buffers = new Map<string, OrtTensor>();
  readonly #views: ViewCache;
  #logits: LogitsPorts | null = null;

  /** @throws RangeError or OrtError when there is not enough memory. */
  constructor(session: OrtSession, layout: DecoderLayout, rules: DecodeRules, shape: SlotShape) {
    this.#session = session;
    this.#layout = layout;
    this.#views = new ViewCache(session);
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
   * @param draw from the logits of the last token; null: none is wanted, and nothing is returned.
   * @throws DOMException `AbortError` when `signal` aborts; what the slot held before is still there.
   */
  async prefill(
    slot: number,
    tokens: readonly number[],
    length: number,
    draw: Draw | null,
    options: RunOptions,
  ): Promise<RowLogits | null> {
    await this.slots.gather(slot, length, tokens.length);
    const rows = { first: slot, tokens: [tokens], lengths: [length], temperatures: [draw?.temperature ?? 0] };
    const logits = await this.#run(rows, draw !== null, options);
    return logits[0] ?? null;
  }

  /** Appends one token to each of the first slots. */
  async step(rows: readonly StepRow[], options: RunOptions): Promise<RowLogits[]> {
    const tokens = rows.map(({ token }) => [token]);
    const lengths = rows.map(({ length }) => length);
    const temperatures = rows.map(({ temperature }) => temperature);
    await this.slots.gather(0, lengths[0]!, 1);
    return this.#run({ first: 0, tokens, lengths, temperatures }, true, options);
  }

  release(): void {
    this.#views.release();
    for (const tensor of this.#buffers.values()) tensor.release();
    this.#buffers.clear();
    this.#logits?.release();
    this.slots.release();
  }

  async #run({ first, tokens, lengths, temperatures }: Rows, wantsLogits: boolean, { adapter, signal }: RunOptions): Promise<RowLogits[]> {
    const { inputIds, positionIds, attentionMask, logitsToKeep } = this.#layout;
    const logits = this.#logits!;
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
    Object.assign(feeds, logits.feeds(temperatures), adapter);
    if (wantsLogits) Object.assign(fetches, logits.fetches(rows, positions));
    try {
      await this.#session.run(feeds, fetches, signal);
    } finally {
      mask?.release();
    }
    await this.slots.settle(first, rows, lengths, added);
    return wantsLogits ? logits.read(rows, positions, temperatures) : [];
  }

  #allocate({ slots, width }: SlotShape): void {
    const { inputIds, positionIds, attentionMask, logitsToKeep } = this.#layout;
    const chunk = Math.min(longestChunk(this.rules.chunkTokens), width);
    const tokens = Math.max(slots, chunk);
    const add = (name: string, type: IntegerPort['type'], elements: number) =>
      this.#buffers.set(name, this.#session.newTensor(type, [elements]));
    add(inputIds.name, inputIds.type, tokens);
    if (positionIds !== null) add(positionIds.name, positionIds.type, tokens * (positionIds.planes ?? 1));
    if (attentionMask !== null) add(attentionMask.name, attentionMask.type, Math.max(slots * (width + 1), width + chunk));
    if (logitsToKeep !== null) add(logitsToKeep.name, logitsToKeep.type, 1);
    this.#logits = openLogitsPorts(this.#session, this.#layout, slots, logitsToKeep === null ? tokens : slots);
  }

  #integers({ name, type }: IntegerPort, shape: readonly number[], values: readonly number[]): OrtTensor {
    const { data } = this.#buffers.get(name)!;
    if (type === 'int64') values.forEach((value, index) => ((data as BigInt64Array)[index] = BigInt(value)));
    else (data as Int32Array).set(values);
    return this.#view(name, shape);
  }

  /** Ones where a row has a token. Its width grows with each step, so that it is the caller's to release. */
  #mask({ name, type }: IntegerPort, lengths: readonly number[], added: number): OrtTensor {
    const { past, masksWholeSlots } = this.rules;
    const { width } = this.slots.shape;
    const longest = Math.max(...lengths) + added;
    const columns = past === 'holes' ? width + added : masksWholeSlots ? width : longest;
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
    return this.#views.get(name, this.#buffers.get(name)!, shape);
  }
}
