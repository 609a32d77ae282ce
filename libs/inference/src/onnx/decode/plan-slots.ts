import { type SampleError } from '../../generator.js';
import { type DecodeRules } from './decode-rules.js';
import { type SlotShape } from './kv-slots.js';
import { sharedWidth } from './line-width.js';
import { mostRows } from './step-sizes.js';

/** What those who wait for a model want. */
export interface SlotDemand {
  /** Tokens of the oldest one's prompt and answer. */
  readonly tokens: number;
  /** Columns that each would have in slots of its own, the oldest first. */
  readonly widths: readonly number[];
  /** Fewest rows of a step that they take part in. */
  readonly leastRows: number;
}

/** What there is for them. */
export interface SlotSupply {
  readonly rules: Pick<DecodeRules, 'past' | 'maxRows' | 'stepSizes'>;
  /** Most samples that are decoded together. */
  readonly maxBatch: number;
  /** Most bytes of slots. */
  readonly kvCacheBytes: number;
  /** Bytes that one slot takes. */
  readonly slotBytes: (width: number) => number;
  /** The slots that are open; null: none are. */
  readonly open: SlotShape | null;
}

/** `keep`: what is open will do. A shape: such slots are to be opened. An error: there is no room for the oldest one. */
export type SlotPlan = 'keep' | SlotShape | SampleError;

/** Slots for the oldest and whoever can share them. */
export function planSlots({ tokens, widths, leastRows }: SlotDemand, supply: SlotSupply): SlotPlan {
  const { rules, maxBatch, kvCacheBytes, slotBytes, open } = supply;
  const mayBeWider = rules.past === 'slots';
  const slotsAt = (width: number) => mostRows(Math.floor(kvCacheBytes / slotBytes(width)), rules);
  const together = Math.max(leastRows, Math.min(maxBatch, rules.maxRows));
  const shared = mayBeWider ? sharedWidth(widths, together, slotsAt) : widths[0]!;
  // A width that depends on the sample alone matters where holes are masked only.
  const width = mayBeWider && slotsAt(shared) < leastRows ? tokens : shared;
  const slots = slotsAt(width);
  if (slots < leastRows) {
    const message =
      `prompt and answer may take ${width} tokens, whose keys and values are ${leastRows * slotBytes(width)} bytes; ` +
      `worker.kv_cache_bytes allows ${kvCacheBytes}`;
    return { code: 'out_of_memory', message, retryable: false };
  }
  if (open === null || open.slots < slots) return { slots, width };
  return (mayBeWider ? open.width >= width : open.width === width) ? 'keep' : { slots, width };
}
