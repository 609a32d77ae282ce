import { ELEMENTS } from '../../ort/ort-element.js';
import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';
import { uploadTensor } from '../../ort/upload-tensor.js';
import { type CachePort, type DecoderLayout, type FloatType, type StatePort } from '../decoder-layout.js';
import { copyElements } from './copy-elements.js';
import { type DecodeRules } from './decode-rules.js';
import { longestChunk } from './prompt-chunks.js';
import { ViewCache } from './view-cache.js';

export interface SlotShape {
  readonly slots: number;
  /** Columns of a slot: most tokens of a prompt and its answer together. */
  readonly width: number;
}

interface CacheMemory {
  readonly port: CachePort;
  /** [slots, heads, width, size] */
  readonly slots: OrtTensor;
  /** Where the graph writes when it cannot write into the slots; null when it can. */
  readonly fresh: OrtTensor | null;
}

interface StateMemory {
  readonly port: StatePort;
  /** [slots, …]: after the last token of each row. */
  readonly current: OrtTensor;
  /** [slots, …]: after a row's prompt, for rows that begin with the same one. */
  readonly kept: OrtTensor;
  /** [slots, …]: what a run returns. */
  readonly fresh: OrtTensor;
}

/**
 * Keys, values and recurrent states of many rows, in one allocation for each port of the graph. A row is a slot, and the live rows are the
 * first slots, so that a step sees them as one tensor. Row r is valid in its first columns; what lies behind is never looked at.
 */
export class KvSlots {
  readonly shape: SlotShape;
  readonly #session: OrtSession;
  readonly #rules: DecodeRules;
  readonly #caches: CacheMemory[] = [];
  readonly #states: StateMemory[] = [];
  readonly #views: ViewCache;
  readonly #zeros = new Map<FloatType, OrtTensor>();
  /** Slots that hold no more what the device had left there. */
  readonly #cleared = new Set<number>();

  /** @throws RangeError or OrtError when there is not enough memory; nothing is kept then. */
  constructor(session: OrtSession, layout: DecoderLayout, rules: DecodeRules, shape: SlotShape) {
    this.#session = session;
    this.#views = new ViewCache(session);
    this.#rules = rules;
    this.shape = shape;
    const { slots, width } = shape;
    try {
      for (const port of layout.cache) {
        const memory = session.newDeviceTensor(port.type, [slots, port.heads, width, port.headSize]);
        this.#caches.push({ port, slots: memory, fresh: null });
        if (writesInPlace(port, rules)) continue;
        const columns = freshColumns(rules, shape);
        this.#caches[this.#caches.length - 1] = {
          port,
          slots: memory,
          fresh: session.newDeviceTensor(port.type, [columns * port.heads * port.headSize]),
        };
      }
      for (const port of layout.states) {
        const allocate = () => session.newDeviceTensor(port.type, [slots, ...port.shape]);
        this.#states.push({ port, current: allocate(), kept: allocate(), fresh: allocate() });
      }
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Rows have states besides columns. */
  get hasStates(): boolean {
    return this.#states.length > 0;
  }

  /** What the graph reads and writes for rows `first` to `first + rows`, each of which gets `added` more tokens. */
  ports(
    first: number,
    rows: number,
    lengths: readonly number[],
    added: number,
  ): { feeds: Record<string, OrtTensor>; fetches: Record<string, OrtTensor> } {
    const feeds: Record<string, OrtTensor> = {};
    const fetches: Record<string, OrtTensor> = {};
    const { width } = this.shape;
    if (this.#views.size > MAX_VIEWS) this.#views.release();
    for (const { port, slots, fresh } of this.#caches) {
      const { heads, headSize, past, present } = port;
      const size = heads * headSize;
      // Only one row is read in the exact form, and its columns are gathered behind those that the run writes.
      const length = this.#rules.past === 'exact' ? lengths[0]! : width;
      const columns = this.#rules.past === 'slots' ? width : length + added;
      feeds[past] =
        this.#rules.past === 'exact'
          ? this.#views.get(past, fresh!, [1, heads, length, headSize], columns * size)
          : this.#views.get(past, slots, [rows, heads, length, headSize], first * size * width);
      fetches[present] = fresh === null ? feeds[past] : this.#views.get(present, fresh, [rows, heads, columns, headSize], 0);
    }
    for (const { port, current, fresh } of this.#states) {
      const elements = product(port.shape);
      feeds[port.past] = this.#views.get(port.past, current, [rows, ...port.shape], first * elements);
      fetches[port.present] = this.#views.get(port.present, fresh, [rows, ...port.shape], 0);
    }
    return { feeds, fetches };
  }

  /** Before a run of the exact form: its past must lie together. */
  async gather(slot: number, length: number, added: number): Promise<void> {
    if (this.#rules.past !== 'exact') return;
    for (const { port, slots, fresh } of this.#caches) {
      const { heads, headSize } = port;
      const start = (length + added) * heads * headSize;
      for (let head = 0; head < heads; head++) {
        const from = this.#place(port, slot, head, 0);
        await copyElements(this.#session, [slots, from], [fresh!, start + head * length * headSize], length * headSize);
      }
    }
  }

  /** After a run: what it did not write into the slots is put there. */
  async settle(first: number, rows: number, lengths: readonly number[], added: number): Promise<void> {
    const { width } = this.shape;
    for (const { port, slots, fresh } of this.#caches) {
      if (fresh === null) continue;
      const { heads, headSize } = port;
      for (let row = 0; row < rows; row++) {
        const length = lengths[row]!;
        const columns = this.#rules.past === 'slots' ? width : this.#rules.past === 'holes' ? width + added : length + added;
        const written = this.#rules.past === 'holes' ? width : length;
        for (let head = 0; head < heads; head++) {
          const from = ((row * heads + head) * columns + written) * headSize;
          await copyElements(this.#session, [fresh, from], [slots, this.#place(port, first + row, head, length)], added * headSize);
        }
      }
    }
    for (const { port, current, fresh } of this.#states) {
      const elements = product(port.shape);
      await copyElements(this.#session, [fresh, 0], [current, first * elements], rows * elements);
    }
  }

  /** A row begins anew, without a past. */
  async reset(slot: number): Promise<void> {
    for (const { port, current } of this.#states) await this.#clear(current, port.type, slot, product(port.shape));
    if (this.#cleared.has(slot)) return;
    // What a device gives is not empty. A NaN stays one, however little it weighs behind a mask; what rows leave behind is finite.
    for (const { port, slots } of this.#caches) {
      if (slots.memory === 'device') await this.#clear(slots, port.type, slot, port.heads * this.shape.width * port.headSize);
    }
    this.#cleared.add(slot);
  }

  /** A row begins with the first `length` tokens of another one's prompt, where that one's state was kept. */
  async copyPrefix(from: number, to: number, length: number): Promise<void> {
    if (from !== to) await this.#copyColumns(from, to, length);
    for (const { port, current, kept } of this.#states) {
      const elements = product(port.shape);
      await copyElements(this.#session, [kept, from * elements], [current, to * elements], elements);
      if (from !== to) await copyElements(this.#session, [kept, from * elements], [kept, to * elements], elements);
    }
  }

  /** A row moves to another slot, with everything. */
  async move(from: number, to: number, length: number): Promise<void> {
    if (from === to) return;
    await this.#copyColumns(from, to, length);
    for (const { port, current, kept } of this.#states) {
      const elements = product(port.shape);
      for (const memory of [current, kept]) await copyElements(this.#session, [memory, from * elements], [memory, to * elements], elements);
    }
  }

  /** Keeps a row's state as it is now for others. */
  async keepState(slot: number): Promise<void> {
    for (const { port, current, kept } of this.#states) {
      const elements = product(port.shape);
      await copyElements(this.#session, [current, slot * elements], [kept, slot * elements], elements);
    }
  }

  release(): void {
    this.#views.release();
    for (const { slots, fresh } of this.#caches) for (const memory of [slots, fresh]) memory?.release();
    for (const { current, kept, fresh } of this.#states) for (const memory of [current, kept, fresh]) memory.release();
    for (const zeros of this.#zeros.values()) zeros.release();
  }

  async #clear(memory: OrtTensor, type: FloatType, slot: number, elements: number): Promise<void> {
    if (memory.memory === 'cpu') memory.data.fill(0 as never, slot * elements, (slot + 1) * elements);
    else await copyElements(this.#session, [await this.#zerosFor(type, elements), 0], [memory, slot * elements], elements);
  }

  /** Zeros on the device: brought there once, and again only when more are needed. */
  async #zerosFor(type: FloatType, elements: number): Promise<OrtTensor> {
    const known = this.#zeros.get(type);
    if (known !== undefined && known.shape[0]! >= elements) return known;
    known?.release();
    this.#zeros.delete(type);
    const zeros = await uploadTensor(this.#session, type, [elements]);
    this.#zeros.set(type, zeros);
    return zeros;
  }

  async #copyColumns(from: number, to: number, length: number): Promise<void> {
    // All of it is copied on a device, see below.
    this.#cleared.add(to);
    for (const { port, slots } of this.#caches) {
      const { heads, headSize } = port;
      if (slots.memory === 'device') {
        const all = heads * this.shape.width * headSize;
        await copyElements(this.#session, [slots, from * all], [slots, to * all], all);
        continue;
      }
      for (let head = 0; head < heads; head++) {
        const places = [from, to].map((slot) => this.#place(port, slot, head, 0)) as [number, number];
        await copyElements(this.#session, [slots, places[0]], [slots, places[1]], length * headSize);
      }
    }
  }

  /** The element where a column begins. */
  #place({ heads, headSize }: CachePort, slot: number, head: number, column: number): number {
    return ((slot * heads + head) * this.shape.width + column) * headSize;
  }
}

/** Views that are kept, where every step may need others. */
const MAX_VIEWS = 5000;

/** Bytes of a slot, with its share of what a run returns. Of a model that is decoded in one slot, all of it. */
export function slotBytes({ cache, states }: DecoderLayout, rules: DecodeRules, width: number): number {
  // Two slots share what a chunk of one of them needs.
  const sharing = Math.min(rules.maxRows, 2);
  const fresh = freshColumns(rules, { slots: sharing, width }) / sharing;
  let bytes = 0;
  for (const port of cache) {
    const column = port.heads * port.headSize * ELEMENTS[port.type].bytes;
    bytes += column * (writesInPlace(port, rules) ? width : width + fresh);
  }
  for (const port of states) bytes += 3 * product(port.shape) * ELEMENTS[port.type].bytes;
  return bytes;
}

function writesInPlace({ inPlace }: CachePort, { past }: DecodeRules): boolean {
  return past === 'slots' && inPlace;
}

/** Columns that a run may return, over all rows. */
function freshColumns(rules: DecodeRules, { slots, width }: SlotShape): number {
  const chunk = Math.min(longestChunk(rules.chunkTokens), width);
  switch (rules.past) {
    case 'slots':
      return slots * width;
    case 'holes':
      return Math.max(slots * (width + 1), width + chunk);
    case 'exact':
      return 2 * width;
  }
}

function product(shape: readonly number[]): number {
  return shape.reduce((total, size) => total * size, 1);
}
